// SPDX-License-Identifier: Apache-2.0
// `bench`: how long the operations of a library take, beside another one's if asked for.
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cli/options.h"
#include "cli/places.h"
#include "cli/style.h"
#include "report/text_layout.h"

extern char **environ;

// No operation takes long; one that says nothing for this long has hung.
enum { SILENCE_MS = 60000 };

// Differences below this are not worth a word: other runs of the same two files differ by as much.
static const double alike = 0.05;

typedef struct Bench {
  const Options *options;
  TextStyle style;
  const char *names[BENCH_SUBJECTS_MAX];  // as the user wrote them
  char paths[BENCH_SUBJECTS_MAX][4200];   // with a slash, so that the linker takes them as paths
  unsigned count;
  pid_t worker;
  int records;      // the descriptor that they come from
  char doing[512];  // what the worker said it does
  unsigned faster, level, rows;
  char slower[64][64];  // what takes longer than with the other library
  unsigned slower_count;
} Bench;

// --- The worker ----------------------------------------------------------------------------------

static int spawn_worker(Bench *bench, int write_end)
{
  char rounds[24], *words[8];
  size_t count = 0;
  unsigned asked = bench->options->rounds;
  snprintf(rounds, sizeof rounds, "%u", asked ? asked : BENCH_ROUNDS_DEFAULT);
  const char *const fixed[] = {places()->worker, "--bench", rounds};
  for (; count < 3; ++count) memcpy(&words[count], &fixed[count], sizeof *words);
  for (unsigned i = 0; i < bench->count; ++i) words[count++] = bench->paths[i];
  words[count] = NULL;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // What the libraries print is no part of the table.
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 2, 1);
  posix_spawn_file_actions_adddup2(&actions, write_end, BENCH_FD);
  int status = posix_spawn(&bench->worker, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

static bool start_worker(Bench *bench)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    fprintf(stderr, "tvmffi-conform: no pipe to the worker can be had: %s\n", strerror(errno));
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
  fprintf(stderr, "tvmffi-conform: the worker %s can't be started: %s\n", places()->worker,
          strerror(status));
  close(ends[0]);
  return false;
}

// 1: a record, 0: there is none any more, -1: none came in time.
static int next_record(const Bench *bench, BenchRecord *record)
{
  char *at = (char *)record;
  for (size_t left = sizeof *record; left;) {
    struct pollfd polled = {.fd = bench->records, .events = POLLIN};
    int ready = poll(&polled, 1, SILENCE_MS);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return -1;
    ssize_t size = read(bench->records, at, left);
    if (size <= 0) return 0;
    at += size;
    left -= (size_t)size;
  }
  record->text[sizeof record->text - 1] = '\0';
  return 1;
}

// Says how the worker ended that did not come to the end of its work. Returns the exit code.
static int explain_end(Bench *bench, bool silent)
{
  int status = 0;
  const char *doing = bench->doing[0] ? bench->doing : "loading";
  if (silent) kill(bench->worker, SIGKILL);
  while (waitpid(bench->worker, &status, 0) < 0 && errno == EINTR) continue;
  fflush(stdout);
  if (silent)
    fprintf(stderr, "tvmffi-conform: %s: nothing came of it within %d s\n", doing,
            SILENCE_MS / 1000);
  else if (WIFSIGNALED(status))
    fprintf(stderr, "tvmffi-conform: %s: crashed with SIG%s\n", doing,
            sigabbrev_np(WTERMSIG(status)));
  else
    fprintf(stderr, "tvmffi-conform: %s: ended the process with exit(%d)\n", doing,
            WEXITSTATUS(status));
  return bench->doing[0] ? EXIT_DOES_NOT_CONFORM : EXIT_CANNOT_LOAD;
}

// --- The table -----------------------------------------------------------------------------------

static void print_head(const Bench *bench, const BenchRecord *loaded)
{
  static const char *const labels[BENCH_SUBJECTS_MAX] = {"A  ", "B  "};
  for (unsigned i = 0; i < bench->count; ++i) {
    char version[16] = "no version";
    if (loaded->version[i] != UINT32_MAX) abi_version_text(loaded->version[i], version);
    printf("%s%s (reports %s)\n", bench->count == 1 ? "" : labels[i], bench->names[i], version);
  }
  unsigned rounds = bench->options->rounds ? bench->options->rounds : BENCH_ROUNDS_DEFAULT;
  printf("Medians of %u round%s%s; spread is what lies between the quartiles.\n", rounds,
         rounds == 1 ? "" : "s", bench->count == 2 ? ", A and B in turn" : "");
  if (bench->count == 2)
    printf("Faster is what was so by more than %.0f%%, and in three rounds out of four.\n",
           100 * alike);
  printf("\n");
  printf("%-44s", "");
  if (bench->count == 1) printf("%11s %7s", "ns", "spread");
  if (bench->count == 2)
    printf("%11s %7s %11s %7s %8s", "A: ns", "spread", "B: ns", "spread", "B / A");
  printf("\n");
}

static void print_sample(const BenchSample *sample)
{
  if (sample->state == BENCH_MEASURED)
    printf("%11.1f %6.0f%%", sample->median_ns, 100 * sample->spread_ns / sample->median_ns);
  else
    printf("%19s", sample->state == BENCH_NOT_THERE ? "not there" : "a call failed");
}

static void note_slower(Bench *bench, const char *title)
{
  if (bench->slower_count == sizeof bench->slower / sizeof bench->slower[0]) return;
  snprintf(bench->slower[bench->slower_count++], sizeof bench->slower[0], "%.60s", title);
}

static void print_ratio(Bench *bench, const BenchRecord *row)
{
  bool a_wins = row->ratio > 1 + alike && row->ratio_low > 1;
  bool b_wins = row->ratio < 1 / (1 + alike) && row->ratio_high < 1;
  TextPaint paint = a_wins ? PAINT_GOOD : b_wins ? PAINT_BAD : PAINT_FAINT;
  printf(" %s%8.2f  %s%s", text_paint(&bench->style, paint), row->ratio,
         a_wins   ? "A is faster"
         : b_wins ? "B is faster"
                  : "alike",
         text_paint(&bench->style, PAINT_NONE));
  ++bench->rows;
  bench->faster += a_wins;
  bench->level += !a_wins && !b_wins;
  if (b_wins) note_slower(bench, row->text);
}

static void print_row(Bench *bench, const BenchRecord *row)
{
  printf("%-44s", row->text);
  for (unsigned i = 0; i < bench->count; ++i) {
    print_sample(&row->sample[i]);
    if (i + 1 < bench->count) printf(" ");
  }
  if (row->ratio > 0) print_ratio(bench, row);
  printf("\n");
  fflush(stdout);
}

static void print_summary(const Bench *bench)
{
  if (bench->count != 2) return;
  printf("\nOf %u operations A is faster in %u, alike in %u, slower in %u%s", bench->rows,
         bench->faster, bench->level, bench->slower_count, bench->slower_count ? ":\n" : ".\n");
  for (unsigned i = 0; i < bench->slower_count; ++i) printf("  %s\n", bench->slower[i]);
}

// --- The verb ------------------------------------------------------------------------------------

static int follow(Bench *bench)
{
  for (BenchRecord record;;) {
    int got = next_record(bench, &record);
    if (got != 1) return explain_end(bench, got < 0);
    switch (record.kind) {
      case BENCH_CANNOT_LOAD:
        fprintf(stderr, "tvmffi-conform: the dynamic linker refuses %s: ",
                bench->paths[record.subject == 1]);
        text_print(stderr, &bench->style, record.text, strlen(record.text));
        fprintf(stderr, "\n");
        return EXIT_CANNOT_LOAD;
      case BENCH_LOADED:
        print_head(bench, &record);
        break;
      case BENCH_STARTS:
        memcpy(bench->doing, record.text, sizeof bench->doing);
        break;
      case BENCH_ROW:
        print_row(bench, &record);
        break;
      default:
        print_summary(bench);
        return 0;
    }
  }
}

// Reads the file as `run` would: most of what is no runtime is told apart without loading it.
static bool take_library(Bench *bench, const char *path)
{
  InspectReport *library = inspect_file(path);
  bool good = library && library->status == INSPECT_OK;
  if (!good) fprintf(stderr, "tvmffi-conform: %s\n", library ? library->message : "out of memory");
  inspect_free(library);
  bench->names[bench->count] = path;
  snprintf(bench->paths[bench->count++], sizeof bench->paths[0], "%s%s",
           strchr(path, '/') ? "" : "./", path);
  return good;
}

int verb_bench(const Options *options)
{
  static Bench bench;
  bench.options = options;
  setlocale(LC_CTYPE, "");
  bench.style = style_for(stdout, options);
  if (!places()->worker[0]) {
    fprintf(stderr,
            "tvmffi-conform: tvmffi-conform-worker is not beside this program; it has to be "
            "installed with it\n");
    return EXIT_SUITE_FAULT;
  }
  if (!take_library(&bench, options->operands[0])) return EXIT_CANNOT_LOAD;
  if (options->against && !take_library(&bench, options->against)) return EXIT_CANNOT_LOAD;
  if (!start_worker(&bench)) return EXIT_SUITE_FAULT;
  int code = follow(&bench);
  close(bench.records);
  return code;
}
