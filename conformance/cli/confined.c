// SPDX-License-Identifier: Apache-2.0
#include "cli/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/complain.h"
#include "judge/save.h"
#include "run/signal_name.h"
#include "sandbox/sandbox.h"

// The descriptors of the child: what it asks, and what it is answered.
enum { ASK_FD = STDERR_FILENO + 1, ANSWER_FD, ERROR_SIZE = 1024, WHAT_SIZE = 64 };
// More than any report has, and less than there is memory.
static const uint64_t most_bytes = (uint64_t)1 << 31;

// A report that is to be written. Its bytes follow.
typedef struct Request {
  char path[PATH_MAX], what[WHAT_SIZE];
  uint64_t size;
} Request;

typedef struct Answer {
  int status;
  char error[ERROR_SIZE];
} Answer;

static char *reading;  // shared with the child: PATH_MAX bytes, or NULL

void confined_note(const char *path)
{
  if (reading) snprintf(reading, PATH_MAX, "%s", path);
}

// --- In the child --------------------------------------------------------------------------------

static bool put(int file, const void *data, size_t size)
{
  for (const char *at = data; size;) {
    ssize_t written = write(file, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= (size_t)written;
  }
  return true;
}

static bool get(int file, void *data, size_t size)
{
  for (char *at = data; size;) {
    ssize_t got = read(file, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

static int ask_to_save(const char *path, const char *what, const void *data, size_t size,
                       char *error, size_t error_size)
{
  static Request request;
  static Answer answer;
  snprintf(request.path, sizeof request.path, "%s", path);
  snprintf(request.what, sizeof request.what, "%s", what);
  request.size = size;
  bool done = put(ASK_FD, &request, sizeof request) && put(ASK_FD, data, size) &&
              get(ANSWER_FD, &answer, sizeof answer);
  if (!done) snprintf(error, error_size, "cannot write %s: %s", what, path);
  if (done && answer.status != 0) snprintf(error, error_size, "%s", answer.error);
  return done ? answer.status : -1;
}

static _Noreturn void be_child(Sandbox *sandbox, const Options *options, int ask, int answer,
                               int (*work)(const Options *options))
{
  // (Both ends are above the two descriptors that they become.)
  dup2(ask, ASK_FD);
  dup2(answer, ANSWER_FD);
  save_elsewhere = ask_to_save;
  int code = sandbox_enter(sandbox, ANSWER_FD) ? work(options) : EXIT_USAGE;
  fflush(NULL);
  _exit(code);
}

// --- Beside it -----------------------------------------------------------------------------------

static bool is_asked_for(const Options *options, const char *path)
{
  bool found = options->write_policy && strcmp(options->write_policy, path) == 0;
  for (size_t i = 0; i < options->report_count && !found; ++i)
    found = strcmp(options->reports[i].path, path) == 0;
  return found;
}

// Writes what the child asks for, until it has ended.
static void serve(const Options *options, int asked, int answered)
{
  static Request request;
  while (get(asked, &request, sizeof request)) {
    Answer answer = {.status = -1};
    request.path[sizeof request.path - 1] = request.what[sizeof request.what - 1] = '\0';
    if (!is_asked_for(options, request.path) || request.size > most_bytes) return;
    char *data = malloc(request.size ? request.size : 1);
    if (!data || !get(asked, data, request.size))
      snprintf(answer.error, sizeof answer.error, "cannot write %s: out of memory", request.what);
    else
      answer.status = save_file(request.path, request.what, data, request.size, answer.error,
                                sizeof answer.error);
    free(data);
    if (!put(answered, &answer, sizeof answer)) return;
  }
}

static int wait_for(pid_t child)
{
  int status = 0;
  char name[SIGNAL_NAME_MAX];
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (WTERMSIG(status) == SIGPIPE) return EXIT_BROKEN_PIPE;
  if (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM) return EXIT_INTERRUPTED;
  complain("%s: what reads it was ended by %s; the machine is unharmed", reading,
           signal_name(WTERMSIG(status), name));
  return EXIT_SUITE_FAULT;
}

static void allow(SandboxPolicy *policy, const Options *options)
{
  policy_add_system(policy);
  for (size_t i = 0; i < options->operand_count; ++i)
    policy_add_path(policy, options->operands[i], SANDBOX_READ);
  if (options->policy) policy_add_path(policy, options->policy, SANDBOX_READ);
  if (options->baseline) policy_add_path(policy, options->baseline, SANDBOX_READ);
  policy_limit(policy, SANDBOX_READ);
}

static int start(Sandbox *sandbox, const Options *options, int (*work)(const Options *options))
{
  int ask[2], answer[2];
  if (pipe2(ask, O_CLOEXEC) != 0) return work(options);
  if (pipe2(answer, O_CLOEXEC) != 0) return work(options);
  int ends[] = {fcntl(ask[1], F_DUPFD_CLOEXEC, ANSWER_FD + 1),
                fcntl(answer[0], F_DUPFD_CLOEXEC, ANSWER_FD + 1)};
  fflush(NULL);
  pid_t child = ends[0] < 0 || ends[1] < 0 ? -1 : fork();
  if (child == 0) be_child(sandbox, options, ends[0], ends[1], work);
  for (size_t i = 0; i < 2; ++i) close(ends[i]);
  close(ask[1]);
  close(answer[0]);
  if (child > 0) serve(options, ask[0], answer[1]);
  close(ask[0]);
  close(answer[1]);
  if (child > 0) return wait_for(child);
  complain("cannot start a process to read files in: %s", strerror(errno));
  return EXIT_SUITE_FAULT;
}

int confined_run(const Options *options, int (*work)(const Options *options))
{
  char error[1024];
  Sandbox sandbox;
  int code = EXIT_USAGE;
  reading = mmap(NULL, PATH_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (reading == MAP_FAILED) reading = NULL;
  if (options->sandbox == SANDBOX_OFF || !reading) return work(options);
  sandbox_open_reader(&sandbox, options->sandbox);
  allow(&sandbox.policy, options);
  if (sandbox_probe(&sandbox, error, sizeof error))
    code = start(&sandbox, options, work);
  else
    complain("%s", error);
  sandbox_free(&sandbox);
  return code;
}
