// SPDX-License-Identifier: Apache-2.0
// The lines in sources that places are of, as addr2line tells them: a program of its own, since debug
// information is what compilers of others wrote.
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/clean.h"
#include "trace/trace.h"

extern char **environ;

// A large library takes a while; more places than these are not asked for.
enum { WAIT_MS = 20000, FINDINGS_MAX = 100, ANSWER_MAX = 1024 };

// Starts it without the network, from which it could load debug information. -1: it can't be.
static pid_t start(const char *library, const char *offset, int *from)
{
  int ends[2];
  pid_t process = -1;
  const char *const words[] = {"env",  "-u", "DEBUGINFOD_URLS", "addr2line", "-e", library, "--",
                               offset, NULL};
  posix_spawn_file_actions_t actions;
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  if (posix_spawn_file_actions_init(&actions) == 0) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&process, words[0], &actions, NULL, (char *const *)(uintptr_t)words,
                     environ) != 0)
      process = -1;
    posix_spawn_file_actions_destroy(&actions);
  }
  close(ends[1]);
  *from = ends[0];
  if (process < 0) close(ends[0]);
  return process;
}

static size_t read_answer(pid_t process, int from, char answer[ANSWER_MAX])
{
  size_t used = 0;
  struct pollfd polled = {.fd = from, .events = POLLIN};
  while (used < ANSWER_MAX - 1 && poll(&polled, 1, WAIT_MS) > 0) {
    ssize_t size = read(from, answer + used, ANSWER_MAX - 1 - used);
    if (size <= 0) break;
    used += (size_t)size;
  }
  answer[used] = '\0';
  close(from);
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
  return used;
}

// "file.c:12" (own), or NULL. A return address belongs to the call before it.
static char *line_of(const TracePlace *place, bool is_return_address)
{
  char offset[24], answer[ANSWER_MAX];
  int from;
  if (!place->library[0]) return NULL;
  snprintf(offset, sizeof offset, "0x%" PRIx64, place->offset - is_return_address);
  pid_t process = start(place->library, offset, &from);
  if (process < 0 || read_answer(process, from, answer) == 0) return NULL;
  answer[strcspn(answer, "\n")] = '\0';
  char *discriminator = strstr(answer, " (discriminator");
  if (discriminator) *discriminator = '\0';
  const char *colon = strrchr(answer, ':');
  bool known = colon && colon[1] != '?' && colon[1] != '0' && answer[0] != '?';
  return known ? clean_string(answer, 0) : NULL;
}

void trace_find_lines(Trace *trace)
{
  for (size_t i = 0; i < trace->finding_count && i < FINDINGS_MAX; ++i) {
    TraceFinding *finding = &trace->findings[i];
    finding->caller.line = line_of(&finding->caller, true);
    if (finding->callee.offset) finding->callee.line = line_of(&finding->callee, false);
  }
}
