// SPDX-License-Identifier: Apache-2.0
#include "tests/tool/tool.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/children.h"
#include "run/slot.h"

enum { STEP_US = 1000, GRACE_STEPS = 500, LEFT_BEHIND_MAX = 64 };
static const double usual_limit = 30;

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// --- Starting ------------------------------------------------------------------------------------

// What the program writes to: files in memory, or the two ends of a terminal.
typedef struct Streams {
  int out, err, terminal, screen;
} Streams;

bool tool_has_terminals(void)
{
  int screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (screen < 0) return false;
  bool usable = grantpt(screen) == 0 && unlockpt(screen) == 0;
  close(screen);
  return usable;
}

static Streams open_streams(const ToolSetup *setup)
{
  Streams streams = {memfd_create("stdout", MFD_CLOEXEC), memfd_create("stderr", MFD_CLOEXEC), -1,
                     -1};
  ck_assert_int_ge(streams.out, 0);
  ck_assert_int_ge(streams.err, 0);
  if (!setup->on_terminal) return streams;
  struct winsize size = {.ws_row = 40, .ws_col = 100};
  streams.screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ck_assert(streams.screen >= 0 && grantpt(streams.screen) == 0 && unlockpt(streams.screen) == 0);
  streams.terminal = open(ptsname(streams.screen), O_RDWR | O_NOCTTY | O_CLOEXEC);
  ck_assert_int_ge(streams.terminal, 0);
  ck_assert_int_eq(ioctl(streams.terminal, TIOCSWINSZ, &size), 0);
  fcntl(streams.screen, F_SETFL, O_NONBLOCK);
  return streams;
}

static _Noreturn void become(const ToolSetup *setup, const char *const *words,
                             const Streams *streams)
{
  char *arguments[TOOL_WORDS_MAX + 1];
  size_t count = 0;
  int in = open("/dev/null", O_RDONLY);
  int out = setup->on_terminal ? streams->terminal : streams->out;
  int err = setup->on_terminal ? streams->terminal : streams->err;
  if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  for (int fd = 0; setup->output_closed && fd <= 2; ++fd) close(fd);
  signal(SIGCHLD, setup->children_ignored ? SIG_IGN : SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Where this is built with a sanitizer, the program is, too. Libraries that end it leak.
  setenv("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1", 0);
  setenv("TSAN_OPTIONS", "allocator_may_return_null=1", 0);
  // The terminal is one that can do something, whatever these tests run on.
  if (setup->on_terminal) setenv("TERM", "xterm", 1);
  for (size_t i = 0; i < TOOL_ENVIRONMENT_MAX && setup->environment[i]; ++i) {
    char *entry = strdup(setup->environment[i]), *value = strchr(entry, '=');
    *value = '\0';
    setenv(entry, value + 1, 1);
  }
  // Built for another machine, it is run as the worker is.
  char text[SLOT_WRAPPER_TEXT];
  const char *emulator[SLOT_WRAPPER_MAX];
  size_t before = strcmp(words[0], TOOL_PROGRAM) == 0 ? slot_emulator(text, emulator) : 0;
  for (; count < before; ++count) arguments[count] = strdup(emulator[count]);
  for (; *words && count < TOOL_WORDS_MAX; ++count) arguments[count] = strdup(*words++);
  arguments[count] = NULL;
  execvp(arguments[0], arguments);
  _exit(127);
}

// --- Waiting -------------------------------------------------------------------------------------

static bool interrupt_is_due(const ToolSetup *setup, double started)
{
  return setup->interrupt_after > 0 && now() - started >= setup->interrupt_after;
}

// What a terminal shows has to be read while it is written.
static void drain_screen(const Streams *streams)
{
  char block[4096];
  ssize_t size;
  while (streams->screen >= 0 && (size = read(streams->screen, block, sizeof block)) > 0)
    ck_assert_int_eq(write(streams->out, block, (size_t)size), size);
}

static void wait_for(pid_t child, const ToolSetup *setup, const Streams *streams, ToolRun *run)
{
  int status;
  struct rusage usage;
  bool interrupted = false;
  double started = now(), limit = setup->limit > 0 ? setup->limit : usual_limit;
  while (wait4(child, &status, WNOHANG, &usage) == 0) {
    drain_screen(streams);
    if (!interrupted && interrupt_is_due(setup, started)) {
      kill(child, setup->interrupt_by ? setup->interrupt_by : SIGINT);
      interrupted = true;
    }
    if (!run->timed_out && now() - started > limit) {
      kill(child, SIGKILL);
      run->timed_out = true;
    }
    usleep(STEP_US);
  }
  drain_screen(streams);
  run->seconds = now() - started;
  run->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  run->peak_kib = usage.ru_maxrss;
}

// This process is a subreaper: what the program left behind has become its child. Who is still
// there after half of the time is not just about to go.
static size_t count_left_behind(void)
{
  size_t left = 0;
  for (int step = 0; step < GRACE_STEPS; ++step) {
    pid_t reaped;
    while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0) continue;
    if (reaped < 0) break;
    if (step >= GRACE_STEPS / 2) {
      // One that was killed may still be there at the next look, on a busy machine.
      pid_t children[LEFT_BEHIND_MAX];
      size_t there = children_list(getpid(), children, LEFT_BEHIND_MAX);
      if (there > left) left = there;
      children_kill(getpid(), NULL, 0, NULL);
    }
    usleep(STEP_US);
  }
  return left;
}

static char *read_all(int fd, size_t *size)
{
  off_t length = lseek(fd, 0, SEEK_END);
  char *text = calloc(1, (size_t)length + 1);
  ck_assert_ptr_nonnull(text);
  ck_assert_int_eq(pread(fd, text, (size_t)length, 0), length);
  *size = (size_t)length;
  close(fd);
  return text;
}

ToolRun tool_run(const ToolSetup *setup, const char *const *words)
{
  static const ToolSetup usual;
  ToolRun run = {0};
  if (!setup) setup = &usual;
  Streams streams = open_streams(setup);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) become(setup, words, &streams);
  wait_for(child, setup, &streams, &run);
  run.left_behind = count_left_behind();
  run.out = read_all(streams.out, &run.out_size);
  run.err = read_all(streams.err, &run.err_size);
  if (setup->on_terminal) {
    close(streams.terminal);
    close(streams.screen);
  }
  ck_assert_msg(run.exit_code != 126 && run.exit_code != 127, "%s can't be started", words[0]);
  return run;
}

ToolRun tool_again(const char *text)
{
  static const char prompt[] = "tvmffi-conform repro ";
  char line[4096];
  const char *words = strstr(text, prompt);
  ck_assert_msg(words != NULL, "nothing to be run again in:\n%s", text);
  snprintf(line, sizeof line, "%s %.*s", TOOL_PROGRAM, (int)strcspn(words + 15, "\n"), words + 15);
  return tool_run(NULL, (const char *const[]){"/bin/sh", "-c", line, NULL});
}

void tool_free(ToolRun *run)
{
  free(run->out);
  free(run->err);
}

// --- Reports -------------------------------------------------------------------------------------

const char *tool_path(const char *name)
{
  enum { PATHS = 16 };
  static char paths[PATHS][512];
  static unsigned next;
  char *path = paths[next++ % PATHS];
  snprintf(path, sizeof paths[0], "%s/%ld-%u-%s", TOOL_FOLDER, (long)getpid(), next, name);
  unlink(path);
  return path;
}

char *tool_text(const char *path)
{
  char *text = NULL;
  size_t capacity = 0;
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s cannot be read", path);
  ssize_t size = getdelim(&text, &capacity, '\0', file);
  fclose(file);
  ck_assert_msg(size >= 0 && strlen(text) == (size_t)size, "%s is empty or has a NUL", path);
  return text;
}

// A case for each function of a group, with the members of the group.
static void list_group(json_t *cases, const json_t *group, const json_t *functions)
{
  size_t index;
  json_t *name, *names = json_object_get(group, "functions");
  json_array_foreach(json_is_null(names) ? functions : names, index, name)
  {
    const char *function =
        json_string_value(json_is_object(name) ? json_object_get(name, "name") : name);
    json_t *one = json_copy((json_t *)(uintptr_t)group);
    json_object_set_new(
        one, "id",
        json_sprintf("%s@%s", json_string_value(json_object_get(group, "id")), function));
    json_array_append_new(cases, one);
  }
}

json_t *tool_json(const char *path)
{
  size_t index;
  json_error_t error;
  json_t *group, *value = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(value != NULL, "%s: %d: %s", path, error.line, error.text);
  json_array_foreach(json_object_get(value, "groups"), index, group)
      list_group(json_object_get(value, "cases"), group, json_object_get(value, "functions"));
  return value;
}

json_t *tool_case(const json_t *report, const char *id)
{
  size_t index;
  json_t *entry;
  json_array_foreach(json_object_get(report, "cases"), index, entry)
  {
    if (strcmp(json_string_value(json_object_get(entry, "id")), id) == 0) return entry;
  }
  return NULL;
}

const char *tool_case_text(const json_t *report, const char *id, const char *key)
{
  const char *text = json_string_value(json_object_get(tool_case(report, id), key));
  return text ? text : "";
}

size_t tool_count(const json_t *report, const char *prefix, const char *verdict)
{
  size_t index, count = 0;
  json_t *entry;
  json_array_foreach(json_object_get(report, "cases"), index, entry)
  {
    const char *id = json_string_value(json_object_get(entry, "id"));
    const char *seen = json_string_value(json_object_get(entry, "verdict"));
    count += strncmp(id, prefix, strlen(prefix)) == 0 && (!verdict || strcmp(seen, verdict) == 0);
  }
  return count;
}
