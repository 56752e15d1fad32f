// SPDX-License-Identifier: Apache-2.0
#include "cli/stand_in.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/relay.h"
#include "cli/session.h"
#include "run/children.h"
#include "run/orphans.h"

enum { LOOK_MS = 10, REST_MS = 1000, ELDERS_MAX = 64 };

void stand_in_end_as(int status)
{
  if (WIFSIGNALED(status)) {
    sigset_t all;
    sigfillset(&all);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(WTERMSIG(status), SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    raise(WTERMSIG(status));
  }
  exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

// Hands on what the program prints until it has ended. Returns its status.
static int follow(pid_t program, Relay *out, Relay *err)
{
  int status = 0, process = (int)syscall(SYS_pidfd_open, program, 0);
  for (bool ended = false; !ended;) {
    struct pollfd polled[] = {{.fd = out->from, .events = POLLIN},
                              {.fd = err->from, .events = POLLIN},
                              {.fd = process, .events = POLLIN}};
    poll(polled, 3, process < 0 ? LOOK_MS : REST_MS);
    if (session_interrupted()) kill(program, SIGKILL);
    ended = waitpid(program, &status, WNOHANG) == program;
    relay_step(out);
    relay_step(err);
  }
  if (process >= 0) close(process);
  return status;
}

int stand_in_run(Sandbox *sandbox, const char *const *words, int kept, bool told, int *status)
{
  static Relay out, err;
  char text[SANDBOX_TEXT_MAX];
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int ends[] = {relay_open(&out, stdout), relay_open(&err, stderr)};
  const SandboxDescriptor descriptors[] = {
      {nothing, STDIN_FILENO}, {ends[0], STDOUT_FILENO}, {ends[1], STDERR_FILENO}, {kept, kept}};
  const SandboxProgram program = {
      .words = words, .descriptors = descriptors, .descriptor_count = kept ? 4 : 3};
  SandboxProcess started;
  pid_t elders[ELDERS_MAX];
  size_t elder_count = children_list(getpid(), elders, ELDERS_MAX);
  if (nothing < 0 || ends[0] < 0 || ends[1] < 0) return errno;
  signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // what it leaves behind is ours to end
  int problem = sandbox_start(sandbox, &program, &started);
  if (problem) return problem;
  close(ends[0]);
  close(ends[1]);
  if (kept) close(kept);
  sandbox_describe(sandbox, text, sizeof text);
  if (told) fprintf(stderr, "sandbox: %s\n", text);
  // What interrupts the one interrupts the other; this one has to tidy up.
  session_catch_interrupts();
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  *status = follow(started.id, &out, &err);
  sandbox_end(&started);
  orphans_end(elders, elder_count);
  relay_close(&out);
  relay_close(&err);
  return 0;
}
