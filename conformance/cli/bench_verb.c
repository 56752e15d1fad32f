// SPDX-License-Identifier: Apache-2.0
// `bench`: how long the operations of a library take, beside another one's if asked for.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/places.h"
#include "cli/relay.h"
#include "cli/session.h"
#include "cli/style.h"
#include "report/bench_report.h"
#include "report/text_layout.h"
#include "run/children.h"
#include "run/generation.h"
#include "run/orphans.h"
#include "run/signal_name.h"
#include "run/worker_policy.h"

// No operation takes long; one that says nothing for this long has hung. Meanwhile it is looked
// from time to time whether the user wants to stop.
enum { SILENCE_MS = 60000, LOOK_MS = 200, WORDS_MAX = 16, ELDERS_MAX = 64 };

typedef struct Bench {
  const Options *options;
  TextStyle style;
  FILE *out;
  BenchReport *report;
  Session sessions[BENCH_SUBJECTS_MAX];  // what the files are, without loading them
  char paths[BENCH_SUBJECTS_MAX][4200];  // with a slash, so that the linker takes them as paths
  char program[SLOT_WRAPPER_TEXT];       // that runs the worker; "" if nothing does
  bool begun;                            // the worker runs
  SandboxProcess worker;
  pid_t elders[ELDERS_MAX];  // children of this process that were there before
  size_t elder_count;
  int records;       // the descriptor that they come from
  Relay text;        // what the libraries print
  char doing[512];   // what the worker said it does
  char folder[128];  // of Callgrind's dumps; "" if instructions are not counted
} Bench;

// --- Callgrind's dumps ---------------------------------------------------------------------------

static bool make_dump_folder(Bench *bench)
{
  const char *temporary = getenv("TMPDIR");
  char dumps[256];
  snprintf(bench->folder, sizeof bench->folder, "%.90s/tvmffi-conform-XXXXXX",
           temporary && *temporary ? temporary : "/tmp");
  if (!mkdtemp(bench->folder)) {
    complain("cannot create a directory for Callgrind: %s: %s", bench->folder, strerror(errno));
    return false;
  }
  snprintf(dumps, sizeof dumps, "%s/dump", bench->folder);
  setenv(BENCH_DUMPS, dumps, 1);
  policy_add_path(&bench->sessions[0].sandbox.policy, bench->folder,
                  SANDBOX_READ | SANDBOX_WRITE | SANDBOX_CHANGE);
  return true;
}

// The worker removes what it has read; one that was ended leaves some.
static void remove_dump_folder(const Bench *bench)
{
  DIR *folder = bench->folder[0] ? opendir(bench->folder) : NULL;
  if (!folder) return;
  for (struct dirent *entry; (entry = readdir(folder));)
    if (strncmp(entry->d_name, "dump", 4) == 0) unlinkat(dirfd(folder), entry->d_name, 0);
  closedir(folder);
  rmdir(bench->folder);
}

// --- The worker ----------------------------------------------------------------------------------

// Out of the way of the descriptors that a worker is started with.
static int dup_above(int file)
{
  return file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, BENCH_FD + 1);
}

static int spawn_worker(Bench *bench, int write_end)
{
  char rounds[24], dumps[256], emulator[SLOT_WRAPPER_TEXT];
  const char *words[WORDS_MAX + SLOT_WRAPPER_MAX];
  const char *emulating[SLOT_WRAPPER_MAX];
  size_t count = slot_emulator(emulator, emulating);
  memcpy(words, emulating, count * sizeof *words);
  snprintf(rounds, sizeof rounds, "%u", bench->report->rounds);
  snprintf(dumps, sizeof dumps, "--callgrind-out-file=%s/dump", bench->folder);
  const char *const wrapper[] = {"valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", dumps};
  const char *const fixed[] = {places()->worker, "--bench", rounds};
  if (bench->folder[0]) {
    memcpy(words, wrapper, sizeof wrapper);
    count = sizeof wrapper / sizeof *wrapper;
  }
  memcpy(words + count, fixed, sizeof fixed);
  count += sizeof fixed / sizeof *fixed;
  for (unsigned i = 0; i < bench->report->count; ++i) words[count++] = bench->paths[i];
  words[count] = NULL;
  if (words[0] != places()->worker) snprintf(bench->program, sizeof bench->program, "%s", words[0]);
  // What the libraries print is no part of the table.
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int opened = relay_open(&bench->text, stderr), text = dup_above(opened);
  int input = dup_above(nothing), status = input < 0 || text < 0 ? errno : 0;
  const SandboxDescriptor descriptors[] = {
      {input, STDIN_FILENO}, {text, STDOUT_FILENO}, {text, STDERR_FILENO}, {write_end, BENCH_FD}};
  const SandboxProgram program = {.words = words,
                                  .descriptors = descriptors,
                                  .descriptor_count = sizeof descriptors / sizeof descriptors[0]};
  bench->elder_count = children_list(getpid(), bench->elders, ELDERS_MAX);
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // what it leaves behind is ours to end
  if (!status) status = sandbox_start(&bench->sessions[0].sandbox, &program, &bench->worker);
  if (nothing >= 0) close(nothing);
  if (opened >= 0) close(opened);
  if (input >= 0) close(input);
  if (text >= 0) close(text);
  return status;
}

static const char *program_of(const Bench *bench)
{
  return bench->program[0] ? bench->program : NULL;
}

static void complain_of_start(const Bench *bench, int status)
{
  char error[1024];
  slot_explain_start(places()->worker, program_of(bench), status, error, sizeof error);
  complain("%s%s", bench->folder[0] ? "--callgrind: " : "", error);
}

static bool start_worker(Bench *bench)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    complain("cannot create a pipe: %s", strerror(errno));
    return false;
  }
  // Out of the way of BENCH_FD itself: a descriptor duplicated onto itself would stay
  // close-on-exec.
  int write_end = fcntl(ends[1], F_DUPFD_CLOEXEC, BENCH_FD + 1);
  int status = write_end < 0 ? errno : spawn_worker(bench, write_end);
  close(ends[1]);
  if (write_end >= 0) close(write_end);
  bench->records = ends[0];
  if (status == 0) return true;
  complain_of_start(bench, status);
  close(ends[0]);
  return false;
}

typedef enum Got { GOT_RECORD, GOT_END, GOT_SILENCE, GOT_INTERRUPT } Got;

// Waits until the worker says something, or has ended.
static Got wait_for_worker(Bench *bench)
{
  uint64_t patience = SILENCE_MS * (bench->folder[0] ? 10 : 1);
  uint64_t until = slot_now_ns() + patience * 1000000;
  while (slot_now_ns() < until && !session_interrupted()) {
    struct pollfd polled[] = {{.fd = bench->records, .events = POLLIN},
                              {.fd = bench->text.from, .events = POLLIN}};
    // The interruption of a terminal ends the worker, too.
    int heard = poll(polled, 2, LOOK_MS);
    relay_step(&bench->text);
    if (heard > 0 && polled[0].revents && !session_interrupted()) return GOT_RECORD;
  }
  return session_interrupted() ? GOT_INTERRUPT : GOT_SILENCE;
}

static Got next_record(Bench *bench, BenchRecord *record)
{
  char *at = (char *)record;
  for (size_t left = sizeof *record; left;) {
    Got got = wait_for_worker(bench);
    if (got != GOT_RECORD) return got;
    ssize_t size = read(bench->records, at, left);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return session_interrupted() ? GOT_INTERRUPT : GOT_END;
    at += size;
    left -= (size_t)size;
  }
  record->text[sizeof record->text - 1] = '\0';
  return GOT_RECORD;
}

static void end_what_is_left(Bench *bench)
{
  sandbox_end(&bench->worker);
  orphans_end(bench->elders, bench->elder_count);
  bench->worker.id = 0;
}

// Says how the worker ended that did not come to the end of its work. Returns the exit code.
static int explain_end(Bench *bench, bool silent)
{
  int status = 0;
  char name[SIGNAL_NAME_MAX];
  const char *doing = bench->doing[0] ? bench->doing : "loading";
  char *text = bench->report->ended;
  size_t size = sizeof bench->report->ended;
  if (silent) kill(bench->worker.id, SIGKILL);
  while (waitpid(bench->worker.id, &status, 0) < 0 && errno == EINTR) continue;
  end_what_is_left(bench);
  relay_close(&bench->text);
  if (!bench->begun && !silent)
    slot_explain_end(places()->worker, program_of(bench), status, text, size);
  else if (silent)
    snprintf(text, size, "%s: no result within %d s", doing, SILENCE_MS / 1000);
  else if (WIFSIGNALED(status))
    snprintf(text, size, "%s: crashed with %s", doing, signal_name(WTERMSIG(status), name));
  else
    snprintf(text, size, "%s: called exit(%d)", doing, WEXITSTATUS(status));
  fflush(bench->out);
  complain("%s", text);
  if (!bench->begun && !silent) return EXIT_SUITE_FAULT;
  return bench->doing[0] ? EXIT_DOES_NOT_CONFORM : EXIT_CANNOT_LOAD;
}

// The user wants to stop: ends the text with what is known until then.
static int stop_early(Bench *bench)
{
  BenchReport *report = bench->report;
  snprintf(report->ended, sizeof report->ended, "%s%sinterrupted",
           bench->doing[0] ? bench->doing : "", bench->doing[0] ? ": " : "");
  if (!report->row_count) {
    complain("interrupted before anything was measured");
    return EXIT_INTERRUPTED;
  }
  bench_text_end(bench->out, &bench->style, report);
  fprintf(bench->out, "\ninterrupted: the measurements so far\n");
  return EXIT_INTERRUPTED;
}

// Nothing more is wanted of the worker; how the libraries take the end of a process is no matter.
static void end_worker(Bench *bench)
{
  if (!bench->worker.id) return;
  kill(bench->worker.id, SIGKILL);
  while (waitpid(bench->worker.id, NULL, 0) < 0 && errno == EINTR) continue;
  end_what_is_left(bench);
}

// --- The verb ------------------------------------------------------------------------------------

static void take_row(Bench *bench, const BenchRecord *row)
{
  BenchReport *report = bench->report;
  if (report->row_count < BENCH_ROWS_MAX) report->rows[report->row_count++] = *row;
  bench_text_row(bench->out, &bench->style, report, row);
}

static int refuse_to_load(const Bench *bench, const BenchRecord *record)
{
  complain("%s: dlopen failed: %s", bench->paths[record->subject == 1], record->text);
  return EXIT_CANNOT_LOAD;
}

// What one generation says of its functions is wrong of the other's.
static bool is_of_one_generation(const Bench *bench, const BenchRecord *loaded)
{
  for (unsigned i = 0; i < bench->report->count; ++i) {
    AbiGeneration generation;
    char why[1024];
    if (generation_decide("auto", bench->sessions[i].library, loaded->objects[i], &generation, why,
                          sizeof why))
      continue;
    // Behind the first line it says how the library can be judged all the same.
    complain("cannot measure %s: %.*s", bench->paths[i], (int)strcspn(why, "\n"), why);
    return false;
  }
  return true;
}

static int follow(Bench *bench)
{
  for (BenchRecord record;;) {
    Got got = next_record(bench, &record);
    if (got == GOT_INTERRUPT) return stop_early(bench);
    if (got != GOT_RECORD) return explain_end(bench, got == GOT_SILENCE);
    switch (record.kind) {
      case BENCH_BEGINS:
        bench->begun = true;
        break;
      case BENCH_CANNOT_LOAD:
        return refuse_to_load(bench, &record);
      case BENCH_CANNOT_COUNT:
        complain(
            "--callgrind: this build cannot count instructions (rebuild it with valgrind/callgrind.h installed)");
        return EXIT_USAGE;
      case BENCH_LOADED:
        if (!is_of_one_generation(bench, &record)) return EXIT_CANNOT_LOAD;
        memcpy(bench->report->version, record.version, sizeof record.version);
        bench_text_head(bench->out, &bench->style, bench->report);
        break;
      case BENCH_STARTS:
        memcpy(bench->doing, record.text, sizeof bench->doing);
        break;
      case BENCH_ROW:
        take_row(bench, &record);
        break;
      default:
        bench->report->complete = true;
        bench_text_end(bench->out, &bench->style, bench->report);
        return 0;
    }
  }
}

// Reads the file as `run` would: what is no runtime is told apart without loading it. Returns the
// exit code.
static int take_library(Bench *bench, const char *path)
{
  unsigned which = bench->report->count++;
  Session *session = &bench->sessions[which];
  int code = session_inspect_runtime(session, path, bench->options->sandbox);
  if (code == EXIT_CONFORMS)
    memcpy(bench->report->sha256[which], session->library->sha256, sizeof session->library->sha256);
  else
    complain("%s", session->error);
  bench->report->names[which] = path;
  snprintf(bench->paths[which], sizeof bench->paths[0], "%s%s", strchr(path, '/') ? "" : "./",
           path);
  return code;
}

// Returns the exit code. A report is also written of what was measured before a library crashed, or
// the user wanted to stop.
static int measure_and_report(Bench *bench)
{
  const Options *options = bench->options;
  char error[1024];
  if (!start_worker(bench)) return EXIT_SUITE_FAULT;
  int code = follow(bench);
  end_worker(bench);
  relay_close(&bench->text);
  close(bench->records);
  if (!bench->report->complete && !bench->report->row_count) return code;
  for (size_t i = 0; i < options->report_count; ++i) {
    if (bench_json(bench->report, options->reports[i].path, error, sizeof error) == 0) continue;
    complain("%s", error);
    if (code == EXIT_CONFORMS) code = EXIT_USAGE;
  }
  return code;
}

// One for both libraries, which are in one process.
static int open_sandbox(Bench *bench)
{
  Session *session = &bench->sessions[0];
  SandboxPolicy *policy = &session->sandbox.policy;
  char emulator[SLOT_WRAPPER_TEXT];
  const char *words[SLOT_WRAPPER_MAX];
  slot_emulator(emulator, words);
  int code = session_open_sandbox(session, bench->options);
  if (code != EXIT_CONFORMS) complain("%s", session->error);
  if (code != EXIT_CONFORMS || bench->options->sandbox == SANDBOX_OFF) return code;
  worker_policy_add(policy, places()->worker, words);
  for (unsigned i = 0; i < bench->report->count; ++i)
    worker_policy_add_library(policy, bench->paths[i], NULL);
  return code;
}

static int catch_and_measure(Bench *bench)
{
  session_catch_interrupts();
  if (bench->options->callgrind && !make_dump_folder(bench)) return EXIT_SUITE_FAULT;
  int code = measure_and_report(bench);
  remove_dump_folder(bench);
  return code;
}

int verb_bench(const Options *options)
{
  static BenchReport report;
  static Bench bench = {.report = &report};
  bench.options = options;
  report.rounds = options->callgrind ? 0 : options->rounds ? options->rounds : BENCH_ROUNDS_DEFAULT;
  setlocale(LC_CTYPE, "");
  bench.out = outputs_text_stream(options);
  bench.style = style_for(bench.out, options);
  if (!places()->worker[0]) {
    complain("%s", places_no_worker);
    return EXIT_SUITE_FAULT;
  }
  if (!outputs_can_be_written(options)) return EXIT_USAGE;
  int code = take_library(&bench, options->operands[0]);
  if (code == EXIT_CONFORMS && options->against) code = take_library(&bench, options->against);
  if (code == EXIT_CONFORMS) code = open_sandbox(&bench);
  if (code == EXIT_CONFORMS) code = catch_and_measure(&bench);
  for (unsigned i = 0; i < report.count; ++i) session_free(&bench.sessions[i]);
  return code;
}
