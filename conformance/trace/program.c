// SPDX-License-Identifier: Apache-2.0
#include "trace/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t child;

static void hand_on(int number)
{
  if (child > 0) kill((pid_t)child, number);
}

// What the tracing program does with signals while it waits.
static const struct {
  int number;
  void (*handler)(int);
} signals[] = {{SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGTERM, hand_on}, {SIGHUP, hand_on}};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

// Puts `library` before what the variable names already; a new environment string (own).
static int prepend(const char *variable, const char *library)
{
  const char *there = getenv(variable);
  char *value = malloc(strlen(library) + (there ? strlen(there) : 0) + 2);
  if (!value) return -1;
  strcpy(value, library);
  if (there && *there) strcat(strcat(value, ":"), there);
  int result = setenv(variable, value, 1);
  free(value);
  return result;
}

static void become(const TraceRequest *request, const char *ring, int report)
{
  bool audits = request->mechanism != MECHANISM_PRELOAD;
  bool preloads = request->mechanism != MECHANISM_AUDIT;
  if ((!preloads || prepend("LD_PRELOAD", request->preload) == 0) &&
      prepend("LD_PRELOAD", request->layer) == 0 &&
      (!audits || prepend("LD_AUDIT", request->audit) == 0) && setenv(RING_VARIABLE, ring, 1) == 0)
    execvp(request->program[0], request->program);
  int reason = errno;
  (void)!write(report, &reason, sizeof reason);
  _exit(127);
}

// Starts it; the reason arrives through a pipe that is closed when it runs.
static pid_t start(const TraceRequest *request, const char *ring, const struct sigaction *before,
                   int *reason)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    *reason = errno;
    return -1;
  }
  pid_t pid = fork();
  if (pid == 0) {
    for (int i = 0; i < SIGNALS; ++i) sigaction(signals[i].number, &before[i], NULL);
    become(request, ring, ends[1]);
  }
  *reason = pid < 0 ? errno : 0;
  close(ends[1]);
  if (pid > 0 && read(ends[0], reason, sizeof *reason) == (ssize_t)sizeof *reason) {
    waitpid(pid, NULL, 0);
    pid = -1;
  }
  close(ends[0]);
  return pid;
}

// The loader takes a colon and a space as the end of a name.
static const char *unusable(const TraceRequest *request)
{
  const char *const paths[] = {request->layer, request->audit, request->preload};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i)
    if (strpbrk(paths[i], ": ")) return paths[i];
  return NULL;
}

// Why a program was not started. One in this folder is found by a path only, and a script by the
// program that runs it.
static void tell(const char *program, int reason, char *error, size_t error_size)
{
  const char *advice = "";
  if (reason == ENOENT && !strchr(program, '/') && access(program, F_OK) == 0)
    advice = access(program, X_OK) == 0 ? " in PATH (write ./ in front of it)"
                                        : " in PATH (name the program that runs it, too)";
  snprintf(error, error_size, "cannot run %s: %s%s", program, strerror(reason), advice);
}

static void wait_for(pid_t pid, void (*attend)(void *context), void *context, int *status)
{
  pid_t ended = 0;
  while (ended != pid && (ended >= 0 || errno == EINTR)) {
    ended = waitpid(pid, status, attend ? WNOHANG : 0);
    if (attend && ended != pid) attend(context);
  }
}

int program_run(const TraceRequest *request, const char *ring, void (*attend)(void *context),
                void *context, int *out_pid, int *status, char *error, size_t error_size)
{
  const char *path = unusable(request);
  if (path) {
    snprintf(error, error_size, "cannot preload %s: its path has a space or a colon", path);
    return -1;
  }
  struct sigaction before[SIGNALS];
  for (int i = 0; i < SIGNALS; ++i) {
    struct sigaction action = {.sa_handler = signals[i].handler, .sa_flags = SA_RESTART};
    sigaction(signals[i].number, &action, &before[i]);
  }
  int reason;
  pid_t pid = start(request, ring, before, &reason);
  child = pid;
  *out_pid = pid;
  if (pid < 0) tell(request->program[0], reason, error, error_size);
  if (pid > 0) wait_for(pid, attend, context, status);
  child = 0;
  for (int i = 0; i < SIGNALS; ++i) sigaction(signals[i].number, &before[i], NULL);
  return pid < 0 ? -1 : 0;
}
