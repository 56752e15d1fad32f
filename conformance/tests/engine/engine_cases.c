// SPDX-License-Identifier: Apache-2.0
// A battery of its own for the tests of the runner: each case comes to another end.
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "battery/battery.h"
#include "battery/clock.h"

CHAPTER(version);

static volatile int zero;

CASE(passes, .clauses = {VER_1}, .title = "two expectations hold")
{
  expect_int("one", 1, 1);
  expect_int("two", 2, 2);
}

CASE(fails, .clauses = {VER_1}, .title = "one of two expectations does not hold")
{
  expect_int("one", 1, 1);
  expect_int("two", 2, 3);
}

CASE(saw_nothing, .clauses = {VER_1}, .title = "no expectation at all")
{
}

CASE(skips, .clauses = {VER_1}, .title = "the library lacks what it needs")
{
  iut->FunctionCall(NULL, NULL, 0, NULL);
}

CASE(cannot_tell, .clauses = {VER_1}, .title = "no verdict")
{
  case_inconclusive("the moon is not full");
}

CASE(crashes, .clauses = {VER_1}, .title = "a write to memory that may not be written")
{
  volatile int *forbidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  note("crashing");
  *forbidden = 1;
}

CASE(exits, .clauses = {VER_1}, .title = "an exit in the middle")
{
  expect_int("one", 1, 1);
  exit(5);
}

CASE(hangs, .clauses = {VER_1}, .title = "an endless loop")
{
  note("looping");
  while (!zero) continue;
}

static void linger(bool leave_group)
{
  pid_t child = fork();
  if (child == 0) {
    if (leave_group) setsid();
    signal(SIGTERM, SIG_IGN);
    while (!zero) pause();
  }
  printf("%ld\n", (long)child);
  fflush(stdout);
}

CASE(hangs_with_company, .clauses = {VER_1}, .title = "an endless loop, with two processes beside")
{
  linger(false);
  linger(true);
  while (!zero) continue;
}

CASE(leaves_company, .clauses = {VER_1}, .title = "two processes are left behind")
{
  linger(false);
  linger(true);
  expect_int("one", 1, 1);
}

// (A case that is run by those who don't count memory ends by itself.)
CASE(storms, .clauses = {VER_1}, .title = "five processes take 8 MiB each, and a while")
{
  enum { TAKEN = 8 << 20 };
  for (int i = 0; i < 4 && fork() != 0;) ++i;
  char *memory = mmap(NULL, TAKEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) memset(memory, 1, TAKEN);
  while (!zero) pause();
}

CASE(takes_worker_along, .clauses = {VER_1}, .title = "the worker is killed")
{
  kill(getppid(), SIGKILL);
  while (!zero) pause();
}

CASE(writes, .clauses = {VER_1}, .title = "a megabyte of output, and a failure")
{
  char line[1024];
  memset(line, 'w', sizeof line);
  for (int i = 0; i < 1024; ++i)
    if (write(STDERR_FILENO, line, sizeof line) < 0) break;
  expect_int("one", 1, 2);
}

CASE(whispers, .clauses = {VER_1}, .title = "one word of output, and a failure")
{
  printf("psst");
  fflush(stdout);
  expect_int("one", 1, 2);
}

CASE(takes_its_time, .clauses = {VER_1}, .patience = 10, .title = "twice the time limit, granted")
{
  usleep(600000);
  expect_int("one", 1, 1);
}

CASE(sleeps, .clauses = {VER_1}, .title = "it sleeps for good")
{
  note("sleeping");
  while (!zero) pause();
}

CASE(comes_back, .clauses = {VER_1}, .title = "its calls come back, one after the other, for good")
{
  while (!zero) {
    usleep(5000);
    expect_came_back();
  }
}

CASE(comes_back_for_a_while, .clauses = {VER_1}, .title = "its calls come back for 1.1 seconds")
{
  const double since = clock_seconds();
  while (clock_seconds() - since < 1.1) {
    usleep(5000);
    expect_came_back();
  }
  while (!zero) pause();
}

CASE(works_for_long, .clauses = {VER_1}, .title = "a call came back, and the suite works on it")
{
  expect_came_back();
  expect_at_work(true);
  while (!zero) usleep(5000);
}

CASE(comes_back_once, .clauses = {VER_1}, .title = "a call comes back, and the next one does not")
{
  expect_came_back();
  while (!zero) pause();
}

static double processor_time(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Four processes on one processor: what takes 0.1 s alone takes 0.4 s.
CASE(starves, .clauses = {VER_1}, .title = "others have the processor most of the time")
{
  enum { OTHERS = 3 };
  pid_t others[OTHERS];
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  for (int i = 0; i < OTHERS; ++i)
    if ((others[i] = fork()) == 0)
      while (!zero) continue;
  const double begin = processor_time();
  while (processor_time() - begin < 0.1) continue;
  for (int i = 0; i < OTHERS; ++i) kill(others[i], SIGKILL);
  for (int i = 0; i < OTHERS; ++i) waitpid(others[i], NULL, 0);
  expect_int("one", 1, 1);
}

// One short-lived copy after the other, with others beside that are none of its processes.
CASE(starves_in_copies, .clauses = {VER_1}, .title = "copies of the process wait for the processor")
{
  const double begin = processor_time();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
  for (int i = 0; i < 12; ++i) {
    const pid_t copy = fork();
    if (copy == 0) {
      while (processor_time() < 0.008) continue;
      _exit(0);
    }
    waitpid(copy, NULL, 0);
  }
  expect_that(begin >= 0, "time goes on", "it does not");
}

CASE(library_was_loaded_here, .clauses = {VER_1}, .title = "the library was loaded by this process")
{
  const int *loaded_in = dlsym(iut->handle, "engine_loaded_in");
  require(expect_not_null("the note of the library", loaded_in));
  expect_int("the process that loaded it", *loaded_in, getpid());
}

CASE(knows_the_signature, .clauses = {VER_1}, .title = "what is known of a function is handed on")
{
  const Signature *signature = signature_under_test();
  if (!signature) case_inconclusive("there is none");
  expect_that(signature->size > SIGNATURE_SIZE_MAX - 64, "all of it", "%u bytes", signature->size);
  const char *last = signature_text(signature, signature->texts.count - 8);
  expect_that(strcmp(last, "the end") == 0, "the end", "%.8s", last);
}

CASE(knows_the_version, .clauses = {VER_1}, .title = "the version that was reported is handed on")
{
  expect_int("version", iut->version, ABI_VERSION(0, 1, 9));
}

typedef struct Row {
  const char *name;
  int number;
} Row;

static const Row rows[] = {{"r0", 0}, {"r1", 1}, {"r2", 2}, {"r3", 3}, {"r4", 4},
                           {"r5", 5}, {"r6", 6}, {"r7", 7}, {"r8", 8}, {"r9", 9}};

CASE_ROWS(rows, rows, .clauses = {VER_1}, .title = "each row gets its own")
{
  char name[8];
  snprintf(name, sizeof name, "r%d", row->number);
  expect_text("name of the row", bytes_of(name), row->name);
}

// --- Rows in one process -------------------------------------------------------------------------

// What a row does, and how many rows have to have run in its process before it.
typedef struct TogetherRow {
  const char *name;
  enum { PASSES, LACKS, ENDS_WITH_A_SIGNAL, SEES_NOTHING, HANGS } does;
  int before;
} TogetherRow;

static int ran_here;

static void run_together(const TogetherRow *row)
{
  if (row->does == LACKS) case_not_applicable("it lacks that");
  if (row->does == ENDS_WITH_A_SIGNAL) raise(SIGSEGV);
  if (row->does == SEES_NOTHING) return;
  while (row->does == HANGS) pause();
  for (int i = 0; i <= row->before; ++i)
    expect_int("rows in this process before", ran_here, row->before);
  ++ran_here;
}

static const TogetherRow side_by_side[] = {{"a", PASSES, 0}, {"b", PASSES, 1}, {"c", PASSES, 2}};

CASE_ROWS(side_by_side, side_by_side, .clauses = {VER_1}, .title = "rows run in one process")
{
  run_together(row);
}

static const TogetherRow with_a_lack[] = {
    {"a", PASSES, 0}, {"b", LACKS, 0}, {"c", PASSES, 0}, {"d", PASSES, 1}};

CASE_ROWS(with_a_lack, with_a_lack, .clauses = {VER_1}, .title = "one of the rows does not apply")
{
  run_together(row);
}

static const TogetherRow with_a_lack_first[] = {
    {"a", LACKS, 0}, {"b", PASSES, 0}, {"c", PASSES, 1}};

CASE_ROWS(with_a_lack_first, with_a_lack_first, .clauses = {VER_1},
          .title = "the first row does not apply")
{
  run_together(row);
}

static const TogetherRow with_a_crash[] = {
    {"a", PASSES, 0}, {"b", PASSES, 0}, {"c", ENDS_WITH_A_SIGNAL, 0}, {"d", PASSES, 0}};

CASE_ROWS(with_a_crash, with_a_crash, .clauses = {VER_1}, .title = "one of the rows crashes")
{
  run_together(row);
}

static const TogetherRow with_a_hang[] = {{"a", PASSES, 0}, {"b", HANGS, 0}, {"c", PASSES, 0}};

CASE_ROWS(with_a_hang, with_a_hang, .clauses = {VER_1}, .title = "one of the rows hangs")
{
  run_together(row);
}

static const TogetherRow with_a_void[] = {
    {"a", PASSES, 0}, {"b", SEES_NOTHING, 0}, {"c", PASSES, 0}};

CASE_ROWS(with_a_void, with_a_void, .clauses = {VER_1}, .title = "one of the rows looks at nothing")
{
  run_together(row);
}

static const TogetherRow slowly[] = {
    {"a", PASSES, 0}, {"b", PASSES, 1}, {"c", PASSES, 2}, {"d", PASSES, 3}};

CASE_ROWS(slowly, slowly, .clauses = {VER_1}, .title = "each of the rows has time of its own")
{
  const bool begins = clock_leaves(0.9);
  usleep(300000);
  expect_that(begins && clock_leaves(0.9), "time", "none");
  run_together(row);
}
