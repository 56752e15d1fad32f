// SPDX-License-Identifier: Apache-2.0
// `replay`: what a program did, done again on another library.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/abi.h"
#include "cli/complain.h"
#include "cli/confined.h"
#include "cli/handed_in.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/places.h"
#include "cli/relay.h"
#include "cli/replay_outcome.h"
#include "cli/session.h"
#include "record/record.h"
#include "replay/replay.h"
#include "report/clean.h"
#include "run/slot.h"
#include "run/worker_policy.h"

// No call takes as long as this; meanwhile it is looked whether the user wants to stop.
enum {
  SILENCE_MS = 60000,
  LOOK_MS = 100,
  WORDS_MAX = SLOT_WRAPPER_MAX + 8,
  PROCESSES_MAX = 4096  // of a recording: no program that is recorded has more
};

// Of a process in a recording.
typedef struct Present {
  uint16_t runtimes;  // a bit for each that has events
  // It was forked from another one, and goes on with what that one had, which is not there.
  uint16_t is_child;
} Present;

typedef struct Replay {
  const Options *options;
  const char *file;
  char library[4200];
  size_t processes;                // in the recording
  Present present[PROCESSES_MAX];  // of each
  Session session;
  ReplayShared *shared;
  int memory;  // the descriptor of `shared`
  bool hung;
  int status;  // of the worker
  ReplayOutcome outcome;
} Replay;

// --- The worker ----------------------------------------------------------------------------------

static bool make_shared(Replay *replay)
{
  int made = memfd_create("tvmffi-conform-replay", MFD_CLOEXEC);
  replay->memory = made < 0 ? -1 : fcntl(made, F_DUPFD_CLOEXEC, REPLAY_FD + 1);
  if (made >= 0) close(made);
  if (replay->memory >= 0 && ftruncate(replay->memory, sizeof *replay->shared) == 0) {
    replay->shared =
        mmap(NULL, sizeof *replay->shared, PROT_READ | PROT_WRITE, MAP_SHARED, replay->memory, 0);
    if (replay->shared != MAP_FAILED) return true;
  }
  complain("cannot share memory with the worker: %s", strerror(errno));
  return false;
}

static int start(Replay *replay, unsigned process, unsigned runtime, Relay *text,
                 SandboxProcess *worker)
{
  char number[16], emulator[SLOT_WRAPPER_TEXT];
  const char *words[WORDS_MAX];
  size_t count = slot_emulator(emulator, words);
  snprintf(number, sizeof number, "%u", process | runtime << RECORD_RUNTIME_SHIFT);
  words[count++] = places()->worker;
  words[count++] = "--replay";
  words[count++] = number;
  words[count++] = replay->file;
  words[count++] = replay->library;
  words[count] = NULL;
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC), opened = relay_open(text, stderr);
  int input = nothing < 0 ? -1 : fcntl(nothing, F_DUPFD_CLOEXEC, REPLAY_FD + 1);
  int output = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, REPLAY_FD + 1);
  const SandboxDescriptor descriptors[] = {{input, STDIN_FILENO},
                                           {output, STDOUT_FILENO},
                                           {output, STDERR_FILENO},
                                           {replay->memory, REPLAY_FD}};
  const SandboxProgram program = {
      .words = words, .descriptors = descriptors, .descriptor_count = 4};
  int problem = input < 0 || output < 0 ? errno : 0;
  if (!problem) problem = sandbox_start(&replay->session.sandbox, &program, worker);
  const int ours[] = {nothing, opened, input, output};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i)
    if (ours[i] >= 0) close(ours[i]);
  return problem;
}

static void follow(Replay *replay, SandboxProcess *worker, Relay *text)
{
  uint64_t at = 0, since = slot_now_ns();
  for (bool ended = false; !ended;) {
    struct pollfd polled = {.fd = text->from, .events = POLLIN};
    poll(&polled, 1, text->from < 0 ? 1 : LOOK_MS);
    ended = waitpid(worker->id, &replay->status, WNOHANG) == worker->id;
    relay_step(text);
    uint64_t now = atomic_load(&replay->shared->at);
    if (now != at) since = slot_now_ns();
    at = now;
    bool silent = slot_now_ns() - since > (uint64_t)SILENCE_MS * 1000000;
    if (ended || (!silent && !session_interrupted())) continue;
    replay->hung = silent;
    kill(worker->id, SIGKILL);
  }
  sandbox_end(worker);
  relay_close(text);
}

// --- The recording: read in a child (cli/handed_in.h) ---------------------------------------------

typedef struct Task {
  const char *path;
  uint64_t serial;
} Task;

static Recording *load(const Task *task, FILE *out)
{
  static char error[512];
  Recording *recording = record_load(task->path, error, sizeof error);
  handed_in_put_outcome(out, recording != NULL, error);
  return recording;
}

static void put_processes(void *context, FILE *out)
{
  static Present present[PROCESSES_MAX];
  Recording *recording = load(context, out);
  uint32_t count = 0;
  for (size_t i = 0; recording && i < recording->count; ++i) {
    const RecordEvent *event = &recording->events[i];
    if (event->process >= PROCESSES_MAX) continue;
    present[event->process].runtimes |= (uint16_t)(1u << event->runtime);
    if (event->kind == RECORD_CHILD) present[event->process].is_child = 1;
    if (event->process >= count) count = event->process + 1;
  }
  fwrite(present, sizeof *present, count, out);
  record_free(recording);
}

static void put_event(void *context, FILE *out)
{
  const Task *task = context;
  Recording *recording = load(task, out);
  for (size_t i = 0; recording && i < recording->count; ++i)
    if (recording->events[i].serial == task->serial) record_write_event(out, &recording->events[i]);
  record_free(recording);
}

static bool ask(const Replay *replay, uint64_t serial, void (*work)(void *context, FILE *out),
                ReaderAnswer *answer, ReaderRest *rest, char *error, size_t error_size)
{
  Task task = {replay->file, serial};
  SandboxPolicy paths = {.paths = NULL};
  policy_add_path(&paths, replay->file, SANDBOX_READ);
  bool done = handed_in_ask(replay->file, replay->options->sandbox, &paths, work, &task, answer,
                            rest, error, error_size);
  policy_free(&paths);
  return done;
}

static bool read_processes(Replay *replay, char *error, size_t error_size)
{
  ReaderAnswer answer;
  ReaderRest rest;
  if (!ask(replay, 0, put_processes, &answer, &rest, error, error_size)) return false;
  replay->processes = rest.size / sizeof *replay->present;
  if (replay->processes > PROCESSES_MAX) replay->processes = PROCESSES_MAX;
  reader_take(&rest, replay->present, replay->processes * sizeof *replay->present);
  free(answer.bytes);
  return true;
}

// In words (own); NULL if they can't be had.
static char *event_text(const Replay *replay, uint64_t serial)
{
  char error[512];
  ReaderAnswer answer;
  ReaderRest rest;
  if (!ask(replay, serial, put_event, &answer, &rest, error, sizeof error)) return NULL;
  char *clean = clean_text(rest.at, rest.size, CLEAN_LINES);
  free(answer.bytes);
  return clean;
}

// How the worker ended that did not come to the end of the recording.
static void take_end(Replay *replay, unsigned process)
{
  ReplayEnded ended = {.how = REPLAY_HUNG, .number = SILENCE_MS / 1000, .process = process};
  ended.serial = atomic_load(&replay->shared->at);
  ended.event = event_text(replay, ended.serial);
  if (!replay->hung) {
    bool crashed = WIFSIGNALED(replay->status);
    ended.how = crashed ? REPLAY_CRASHED : REPLAY_EXITED;
    ended.number = crashed ? WTERMSIG(replay->status) : WEXITSTATUS(replay->status);
  }
  replay_outcome_end(&replay->outcome, &ended);
}

static int take(Replay *replay, unsigned process, unsigned runtime)
{
  ReplayShared *shared = replay->shared;
  unsigned state = atomic_load(&shared->state);
  if (session_interrupted()) return EXIT_INTERRUPTED;
  if (state == REPLAY_CANNOT_LOAD || state == REPLAY_STARTED || state == 0) {
    char *why = clean_array(shared->error, 0);
    complain("%s: %s", replay->library,
             why && *why ? why : "the worker ended before it had loaded the library");
    free(why);
    return EXIT_CANNOT_LOAD;
  }
  if (state != REPLAY_DONE) take_end(replay, process);
  replay_outcome_add(&replay->outcome, shared, process, runtime);
  if (shared->version != 0 && shared->version != UINT32_MAX)
    abi_version_text(shared->version, replay->outcome.version);
  return EXIT_CONFORMS;
}

static int play(Replay *replay, unsigned process, unsigned runtime)
{
  Relay text;
  SandboxProcess worker;
  char error[1024], emulator[SLOT_WRAPPER_TEXT];
  const char *words[SLOT_WRAPPER_MAX];
  const Options *options = replay->options;
  memset(replay->shared, 0, sizeof *replay->shared);
  for (size_t i = 0; i < options->selection.exclude_count && i < REPLAY_GLOBS_MAX; ++i)
    snprintf(replay->shared->excluded[i], REPLAY_GLOB_MAX, "%s", options->excludes[i]);
  int problem = start(replay, process, runtime, &text, &worker);
  if (problem) {
    slot_explain_start(places()->worker, slot_emulator(emulator, words) ? words[0] : NULL, problem,
                       error, sizeof error);
    complain("%s", error);
    return EXIT_SUITE_FAULT;
  }
  replay->hung = false;
  follow(replay, &worker, &text);
  return take(replay, process, runtime);
}

// --- The verb ------------------------------------------------------------------------------------

static int play_processes(Replay *replay)
{
  int code = EXIT_CONFORMS;
  for (unsigned i = 0; i < replay->processes; ++i) {
    if (replay->present[i].is_child) ++replay->outcome.forked;
    for (unsigned runtime = 0; code == EXIT_CONFORMS && runtime < RECORD_RUNTIMES_MAX; ++runtime)
      if (!replay->present[i].is_child && replay->present[i].runtimes >> runtime & 1)
        code = play(replay, i, runtime);
  }
  return code;
}

static int play_all(Replay *replay)
{
  char error[1024];
  ReplayOutcome *outcome = &replay->outcome;
  const Options *options = replay->options;
  outcome->recording = replay->file;
  outcome->library = replay->library;
  int code = play_processes(replay);
  if (code != EXIT_CONFORMS) return code;
  replay_outcome_print(outputs_text_stream(options), outcome, options->limit);
  for (size_t i = 0; i < options->report_count; ++i)
    if (replay_outcome_save(outcome, options->reports[i].path, error, sizeof error) != 0) {
      complain("%s", error);
      return EXIT_USAGE;
    }
  if (outcome->ended_count || replay_outcome_differing(outcome)) return EXIT_DOES_NOT_CONFORM;
  return outcome->same || outcome->explained ? EXIT_CONFORMS : EXIT_INCONCLUSIVE;
}

static int open_sandbox(Replay *replay)
{
  char emulator[SLOT_WRAPPER_TEXT];
  const char *words[SLOT_WRAPPER_MAX];
  int code = session_open_sandbox(&replay->session, replay->options);
  if (code != EXIT_CONFORMS) return code;
  SandboxPolicy *policy = &replay->session.sandbox.policy;
  slot_emulator(emulator, words);
  worker_policy_add(policy, places()->worker, words);
  worker_policy_add_library(policy, replay->library, NULL);
  policy_add_path(policy, replay->file, SANDBOX_READ);
  return EXIT_CONFORMS;
}

// Without a library: what is in the recording.
static int show(const Options *options)
{
  char error[512];
  confined_note(0, options->operands[0]);
  Recording *recording = record_load(options->operands[0], error, sizeof error);
  if (!recording) {
    complain("%s", error);
    return EXIT_USAGE;
  }
  bool written = record_write_text(stdout, recording);
  if (!written) complain("cannot write to stdout: %s", strerror(errno));
  record_free(recording);
  return written ? EXIT_CONFORMS : EXIT_USAGE;
}

static int show_confined(const Options *options)
{
#ifdef WATCHED
  // As for `inspect`.
  if (options->sandbox != SANDBOX_ON) return show(options);
#endif
  return confined_run(options, show);
}

static bool excludes_fit(const Options *options)
{
  bool fits = options->selection.exclude_count <= REPLAY_GLOBS_MAX;
  for (size_t i = 0; i < options->selection.exclude_count; ++i)
    fits = fits && strlen(options->excludes[i]) < REPLAY_GLOB_MAX;
  if (!fits)
    complain("--exclude takes at most %d globs of at most %d bytes", REPLAY_GLOBS_MAX,
             REPLAY_GLOB_MAX - 1);
  return fits;
}

int verb_replay(const Options *options)
{
  static Replay replay;
  char error[512];
  if (!excludes_fit(options)) return EXIT_USAGE;
  replay.options = options;
  replay.file = options->operands[0];
  if (!outputs_can_be_written(options)) return EXIT_USAGE;
  if (options->operand_count == 1) return show_confined(options);
  if (!read_processes(&replay, error, sizeof error)) {
    complain("%s", error);
    return EXIT_USAGE;
  }
  const char *path = options->operands[1];
  snprintf(replay.library, sizeof replay.library, "%s%s", strchr(path, '/') ? "" : "./", path);
  int code = session_inspect_runtime(&replay.session, replay.library, options->sandbox);
  if (code == EXIT_CONFORMS) code = open_sandbox(&replay);
  if (code == EXIT_CONFORMS && !make_shared(&replay)) code = EXIT_SUITE_FAULT;
  session_catch_interrupts();
  if (code == EXIT_CONFORMS)
    code = play_all(&replay);
  else if (replay.session.error[0])
    complain("%s", replay.session.error);
  session_free(&replay.session);
  replay_outcome_free(&replay.outcome);
  return code;
}
