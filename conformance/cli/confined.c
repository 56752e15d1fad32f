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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/complain.h"
#include "judge/save.h"
#include "run/signal_name.h"
#include "sandbox/needs.h"
#include "sandbox/sandbox.h"

// The descriptors of the child: what it asks, what it is answered, and where nothing goes.
enum {
  ASK_FD = STDERR_FILENO + 1,
  ANSWER_FD,
  NOTHING_FD,
  ERROR_SIZE = 1024,
  WHAT_SIZE = 64,
  LOST_MAX = 64
};
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

// How far the child is.
typedef struct Progress {
  char path[PATH_MAX];
  size_t operand;  // or CONFINED_OTHER
  size_t printed;  // so many operands have said what they have to say
} Progress;

static Progress *reading;                 // shared with the child, or NULL
static size_t printed;                    // by children before this one
static int died_of[OPTION_OPERANDS_MAX];  // the signal that ended what read this operand; 0: none
static const Sandbox *confined;
static int streams[2];  // in the child: those that nothing goes to for a while

void confined_note(size_t operand, const char *path)
{
  if (!reading) return;
  snprintf(reading->path, sizeof reading->path, "%s", path);
  reading->operand = operand;
}

bool confined_is_lost(size_t operand, char *why, size_t size)
{
  char name[SIGNAL_NAME_MAX];
  if (died_of[operand])
    snprintf(why, size, "could not be read: the reader died (%s)",
             signal_name(died_of[operand], name));
  return died_of[operand] != 0;
}

const Sandbox *confined_by(void)
{
  return confined;
}

void confined_begin_text(size_t operand)
{
  for (int i = 0; i < 2 && operand < printed; ++i) {
    streams[i] = dup(STDOUT_FILENO + i);
    dup2(NOTHING_FD, STDOUT_FILENO + i);
  }
}

void confined_end_text(size_t operand)
{
  if (!confined) return;
  fflush(stdout);
  for (int i = 0; i < 2 && operand < printed; ++i) {
    dup2(streams[i], STDOUT_FILENO + i);
    close(streams[i]);
  }
  if (operand >= printed) reading->printed = operand + 1;
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

// The descriptor that the path names: "/dev/fd/63", as a shell gives the output of a command. 0: none.
static int descriptor_of(const char *path)
{
  enum { MOST = 1 << 16 };
  int number = 0;
  bool named =
      sscanf(path, "/dev/fd/%d", &number) == 1 || sscanf(path, "/proc/self/fd/%d", &number) == 1;
  return named && number < MOST ? number : 0;
}

// Closes all descriptors but ours and those that operands name, and returns the last that is left.
static int close_others(const Options *options)
{
  int last = NOTHING_FD;
  for (size_t i = 0; i < options->operand_count; ++i)
    if (descriptor_of(options->operands[i]) > last) last = descriptor_of(options->operands[i]);
  for (int file = NOTHING_FD + 1; file < last; ++file) {
    bool named = false;
    for (size_t i = 0; i < options->operand_count && !named; ++i)
      named = descriptor_of(options->operands[i]) == file;
    if (!named) close(file);
  }
  return last;
}

static _Noreturn void be_child(Sandbox *sandbox, const Options *options, const int ends[3],
                               int (*work)(const Options *options))
{
  // (All are above the descriptors that they become.)
  for (int i = 0; i < 3; ++i) dup2(ends[i], ASK_FD + i);
  confined = sandbox;
  save_elsewhere = ask_to_save;
  if (sandbox->folder[0]) setenv("TMPDIR", sandbox->folder, 1);
  int code = sandbox_enter(sandbox, close_others(options)) ? work(options) : EXIT_USAGE;
  int arrived = complain_of_output("text");
  _exit(code == EXIT_CONFORMS ? arrived : code);
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

// Notes that what was being read is lost. False if that is no operand, or was lost before; nothing
// that the child wrote is believed.
static bool lose(const Options *options, int number)
{
  size_t operand = reading->operand, done = reading->printed;
  if (operand >= options->operand_count || died_of[operand]) return false;
  died_of[operand] = number;
  if (done > printed && done <= options->operand_count) printed = done;
  return true;
}

// True if the work is to be done again; else its exit code is in `code`.
static bool wait_for(pid_t child, const Options *options, int *code)
{
  int status = 0;
  char name[SIGNAL_NAME_MAX];
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  bool interrupted = number == SIGINT || number == SIGTERM;
  *code = !number             ? WEXITSTATUS(status)
          : number == SIGPIPE ? EXIT_BROKEN_PIPE
          : interrupted       ? EXIT_INTERRUPTED
                              : EXIT_SUITE_FAULT;
  if (*code != EXIT_SUITE_FAULT || !number) return false;
  if (lose(options, number)) return true;
  complain("%s: what reads it was ended by %s; the machine is unharmed", reading->path,
           signal_name(number, name));
  return false;
}

static void allow(Sandbox *reader, const Options *options)
{
  SandboxPolicy *policy = &reader->policy;
  policy_add_system(policy);
  // What a library needs is looked for beside it, and where it says.
  for (size_t i = 0; i < options->operand_count; ++i)
    policy_add_library(policy, options->operands[i]);
  needs_add_confined(policy, options->operands, options->operand_count);
  if (options->policy) policy_add_path(policy, options->policy, SANDBOX_READ);
  if (options->baseline) policy_add_path(policy, options->baseline, SANDBOX_READ);
  policy_limit(policy, SANDBOX_READ);
  // What large members of archives are unpacked into.
  if (reader->folder[0])
    policy_add_path(policy, reader->folder, SANDBOX_READ | SANDBOX_WRITE | SANDBOX_CHANGE);
}

// Does the work in a child. True if it is to be done again; else its exit code is in `code`.
static bool start(Sandbox *sandbox, const Options *options, int (*work)(const Options *options),
                  int *code)
{
  int ask[2] = {-1, -1}, answer[2] = {-1, -1};
  bool again = false;
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  bool good = nothing >= 0 && pipe2(ask, O_CLOEXEC) == 0 && pipe2(answer, O_CLOEXEC) == 0;
  const int given[] = {ask[1], answer[0], nothing};
  int ends[3];
  for (size_t i = 0; i < 3; ++i) {
    ends[i] = good ? fcntl(given[i], F_DUPFD_CLOEXEC, NOTHING_FD + 1) : -1;
    if (given[i] >= 0) close(given[i]);
    good &= ends[i] >= 0;
  }
  confined_note(CONFINED_OTHER, "the input");
  fflush(NULL);
  pid_t child = good ? fork() : -1;
  if (child == 0) be_child(sandbox, options, ends, work);
  *code = EXIT_SUITE_FAULT;
  if (child < 0) complain("cannot start a process to read files in: %s", strerror(errno));
  for (size_t i = 0; i < 3; ++i)
    if (ends[i] >= 0) close(ends[i]);
  if (child > 0) serve(options, ask[0], answer[1]);
  if (ask[0] >= 0) close(ask[0]);
  if (answer[1] >= 0) close(answer[1]);
  if (child > 0) again = wait_for(child, options, code);
  return again;
}

int confined_run(const Options *options, int (*work)(const Options *options))
{
  char error[1024];
  Sandbox sandbox;
  int code = EXIT_USAGE;
  reading = mmap(NULL, sizeof *reading, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (reading == MAP_FAILED) reading = NULL;
  if (options->sandbox == SANDBOX_OFF || !reading) return work(options);
  // (A system without a place for temporary files has none for those of a private directory.)
  if (!sandbox_open(&sandbox, options->sandbox, error, sizeof error))
    sandbox_open_reader(&sandbox, options->sandbox);
  sandbox.reads = true;
  allow(&sandbox, options);
  if (!sandbox_probe(&sandbox, error, sizeof error))
    complain("%s", error);
  else
    for (unsigned lost = 0; start(&sandbox, options, work, &code) && lost < LOST_MAX;) ++lost;
  sandbox_free(&sandbox);
  return code;
}
