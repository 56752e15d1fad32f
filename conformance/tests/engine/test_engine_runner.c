// SPDX-License-Identifier: Apache-2.0
// The runner with a battery of its own: every end that a case can come to, in every isolation, side
// by side.
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/children.h"
#include "run/runner.h"
#include "run/slot.h"
#include "signature/signature_build.h"
#include "unit/unit.h"

static const uint64_t ms_ns = 1000000;
enum { LIMIT_MS = 300, ITEMS_MAX = 256 };

typedef struct Run {
  Runner *runner;
  RunLoaded loaded;
  RunStatus status;
  char error[1024];
  InspectReport *library;
  Plan *plan;
  Outcome outcomes[ITEMS_MAX];
  size_t given, stop_after;  // stop_after 0: never
} Run;

static RunConfig usual_config(const Run *run)
{
  return (RunConfig){.library = run->library,
                     .worker = ENGINE_WORKER,
                     .jobs = 1,
                     .case_limit_ns = LIMIT_MS * ms_ns,
                     .load_limit_ns = 5000 * ms_ns};
}

static Run *prepare(const char *library)
{
  Run *run = calloc(1, sizeof *run);
  ck_assert_ptr_nonnull(run);
  run->library = inspect_file(library);
  ck_assert_ptr_nonnull(run->library);
  return run;
}

static void make_plan(Run *run, const char *const *filters)
{
  const char *globs[16];
  Selection selection = {.filters = globs, .level = CLAUSE_HARDENING};
  for (; filters[selection.filter_count]; ++selection.filter_count)
    globs[selection.filter_count] = filters[selection.filter_count];
  run->plan = plan_make(&selection, INSPECT_PROFILE_RUNTIME, run->loaded.version);
  ck_assert_ptr_nonnull(run->plan);
  ck_assert_uint_gt(run->plan->count, 0);
  ck_assert_uint_lt(run->plan->count, ITEMS_MAX);
}

static bool take(void *context, size_t item, Outcome *outcome)
{
  Run *run = context;
  ck_assert_uint_lt(item, run->plan->count);
  ck_assert_int_eq(run->outcomes[item].kind, OUTCOME_NOT_RUN);
  run->outcomes[item] = *outcome;
  ++run->given;
  return run->given != run->stop_after;
}

static Run *start(const RunConfig *overrides, const char *const *filters)
{
  Run *run = prepare(ENGINE_LIBRARY);
  RunConfig config = usual_config(run);
  if (overrides) {
    config.isolation = overrides->isolation;
    if (overrides->jobs) config.jobs = overrides->jobs;
    config.interrupted = overrides->interrupted;
    config.memory_most = overrides->memory_most;
    config.hang_budget_ns = overrides->hang_budget_ns;
    if (overrides->case_limit_ns) config.case_limit_ns = overrides->case_limit_ns;
  }
  run->runner = runner_open(&config, &run->loaded, &run->status, run->error, sizeof run->error);
  ck_assert_msg(run->runner != NULL, "%s", run->error);
  make_plan(run, filters);
  return run;
}

static Run *run_all(const RunConfig *overrides, const char *const *filters)
{
  Run *run = start(overrides, filters);
  ck_assert(runner_run(run->runner, run->plan, take, run));
  ck_assert_uint_eq(run->given, run->plan->applicable);
  return run;
}

static void finish(Run *run)
{
  runner_close(run->runner);
  for (size_t i = 0; i < ITEMS_MAX; ++i) outcome_clear(&run->outcomes[i]);
  plan_free(run->plan);
  inspect_free(run->library);
  free(run);
  pid_t left[8];
  ck_assert_uint_eq(children_list(getpid(), left, 8), 0);
}

static const Outcome *outcome_of(const Run *run, const char *id)
{
  for (size_t i = 0; i < run->plan->count; ++i)
    if (strcmp(run->plan->items[i].instance->id, id) == 0) return &run->outcomes[i];
  ck_abort_msg("%s is not in the plan", id);
  return NULL;
}

// --- Every end -----------------------------------------------------------------------------------

typedef struct EndRow {
  const char *id;
  OutcomeKind kind;
  EvidenceEnd end;
  uint32_t held, failed;
} EndRow;

static const EndRow ends[] = {
    {"version.passes", OUTCOME_SEALED, EVIDENCE_FINISHED, 2, 0},
    {"version.fails", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 1},
    {"version.saw-nothing", OUTCOME_SEALED, EVIDENCE_FINISHED, 0, 0},
    {"version.skips", OUTCOME_SEALED, EVIDENCE_SKIPPED, 0, 0},
    {"version.cannot-tell", OUTCOME_SEALED, EVIDENCE_INCONCLUSIVE, 0, 0},
    {"version.crashes", OUTCOME_CRASHED, EVIDENCE_NOT_ENDED, 0, 0},
    {"version.exits", OUTCOME_EXITED, EVIDENCE_NOT_ENDED, 1, 0},
    {"version.hangs", OUTCOME_TIMED_OUT, EVIDENCE_NOT_ENDED, 0, 0},
    {"version.hangs-with-company", OUTCOME_TIMED_OUT, EVIDENCE_NOT_ENDED, 0, 0},
    {"version.leaves-company", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
    {"version.takes-worker-along", OUTCOME_LOST, EVIDENCE_NOT_ENDED, 0, 0},
    {"version.storms", OUTCOME_TIMED_OUT, EVIDENCE_NOT_ENDED, 0, 0},
    {"version.writes", OUTCOME_SEALED, EVIDENCE_FINISHED, 0, 1},
    {"version.takes-its-time", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
    {"version.knows-the-version", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
    {"version.rows.r0", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
    {"version.rows.r9", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
};
enum { ENDS = sizeof ends / sizeof ends[0] };

static void expect_every_end(const Run *run)
{
  for (size_t i = 0; i < ENDS; ++i) {
    const EndRow *row = &ends[i];
    const Outcome *seen = outcome_of(run, row->id);
    ck_assert_msg(seen->kind == row->kind && seen->end == row->end && seen->held == row->held &&
                      seen->failed == row->failed,
                  "%s: kind %d, end %d, held %u, failed %u, lost %s", row->id, (int)seen->kind,
                  (int)seen->end, seen->held, seen->failed, seen->lost ? seen->lost : "no");
  }
  ck_assert_int_eq(outcome_of(run, "version.crashes")->signal, SIGSEGV);
  ck_assert_str_eq(outcome_of(run, "version.crashes")->evidence->note, "crashing");
  ck_assert_str_eq(outcome_of(run, "version.hangs")->evidence->note, "looping");
  ck_assert_int_eq(outcome_of(run, "version.exits")->exit_code, 5);
  ck_assert_str_eq(outcome_of(run, "version.cannot-tell")->evidence->reason,
                   "the moon is not full");
  ck_assert_str_eq(outcome_of(run, "version.skips")->evidence->reason,
                   "the library has no TVMFFIFunctionCall");
}

static const struct {
  RunIsolation isolation;
  unsigned jobs;
} ways[] = {{RUN_ISOLATION_FORK, 1},
            {RUN_ISOLATION_FORK, 8},
            {RUN_ISOLATION_EXEC, 1},
            {RUN_ISOLATION_EXEC, 8}};

TEST_GROUP(runner, .timeout = 60);

TEST(every_end_in_every_way, .rows = ROWS(ways))
{
  RunConfig config = {.isolation = ways[_i].isolation, .jobs = ways[_i].jobs};
  Run *run = run_all(&config, (const char *[]){"*", NULL});
  ck_assert_int_eq(run->loaded.isolation, ways[_i].isolation);
  ck_assert_uint_eq(run->loaded.jobs, ways[_i].jobs);
  ck_assert_uint_eq(run->loaded.version, ABI_VERSION(0, 1, 9));
  expect_every_end(run);
  bool anew = ways[_i].isolation == RUN_ISOLATION_EXEC;
  ck_assert_uint_eq(outcome_of(run, "version.library-was-loaded-here")->failed, anew ? 0 : 1);
  finish(run);
}

// --- Workers and what surrounds them -------------------------------------------------------------

// Rows that may share a process do, and are what they are alone where one of them is not right.
TEST(rows_run_in_one_process)
{
  static const EndRow rows[] = {
      {"version.side-by-side.a", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.side-by-side.b", OUTCOME_SEALED, EVIDENCE_FINISHED, 2, 0},
      {"version.side-by-side.c", OUTCOME_SEALED, EVIDENCE_FINISHED, 3, 0},
      {"version.with-a-lack.a", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.with-a-lack.b", OUTCOME_SEALED, EVIDENCE_SKIPPED, 0, 0},
      {"version.with-a-lack.c", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.with-a-lack.d", OUTCOME_SEALED, EVIDENCE_FINISHED, 2, 0},
      {"version.with-a-lack-first.a", OUTCOME_SEALED, EVIDENCE_SKIPPED, 0, 0},
      {"version.with-a-lack-first.b", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.with-a-lack-first.c", OUTCOME_SEALED, EVIDENCE_FINISHED, 2, 0},
      {"version.with-a-crash.a", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.with-a-crash.b", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.with-a-crash.c", OUTCOME_CRASHED, EVIDENCE_NOT_ENDED, 0, 0},
      {"version.with-a-crash.d", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.with-a-hang.a", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.with-a-hang.b", OUTCOME_TIMED_OUT, EVIDENCE_NOT_ENDED, 0, 0},
      {"version.with-a-hang.c", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.with-a-void.a", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0},
      {"version.with-a-void.b", OUTCOME_SEALED, EVIDENCE_FINISHED, 0, 0},
      {"version.with-a-void.c", OUTCOME_SEALED, EVIDENCE_FINISHED, 1, 0}};
  Run *run = start(NULL, (const char *[]){"version.side-by-side", "version.with-a-*", NULL});
  for (size_t i = 0; i < run->plan->count; ++i) run->plan->items[i].shares = true;
  ck_assert(runner_run(run->runner, run->plan, take, run));
  ck_assert_uint_eq(run->given, run->plan->applicable);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const Outcome *outcome = outcome_of(run, rows[i].id);
    ck_assert_msg(outcome->kind == rows[i].kind && outcome->end == rows[i].end &&
                      outcome->held == rows[i].held && outcome->failed == rows[i].failed,
                  "%s: kind %d, end %d, %u held, %u failed", rows[i].id, outcome->kind,
                  outcome->end, outcome->held, outcome->failed);
  }
  finish(run);
}

TEST(rows_in_one_process_have_each_the_time_of_a_case)
{
  static const RunConfig config = {.case_limit_ns = 700000000};
  Run *run = start(&config, (const char *[]){"version.slowly", NULL});
  for (size_t i = 0; i < run->plan->count; ++i) run->plan->items[i].shares = true;
  ck_assert(runner_run(run->runner, run->plan, take, run));
  ck_assert_uint_eq(run->given, 4);
  for (size_t i = 0; i < run->given; ++i) {
    ck_assert_int_eq(run->outcomes[i].kind, OUTCOME_SEALED);
    ck_assert_uint_eq(run->outcomes[i].failed, 0);
    ck_assert_uint_eq(run->outcomes[i].held, i + 2);
  }
  finish(run);
}

TEST(a_worker_that_is_killed_is_replaced)
{
  Run *run = run_all(NULL, (const char *[]){"version.takes-worker-along", "version.rows", NULL});
  ck_assert_int_eq(outcome_of(run, "version.takes-worker-along")->kind, OUTCOME_LOST);
  ck_assert_ptr_nonnull(strstr(outcome_of(run, "version.takes-worker-along")->lost, "worker"));
  // With one slot, what comes behind it was run by another worker. It is the only child: the case
  // that lost its worker went with it.
  ck_assert_int_eq(outcome_of(run, "version.rows.r9")->kind, OUTCOME_SEALED);
  pid_t left[8];
  ck_assert_uint_eq(children_list(getpid(), left, 8), 1);
  finish(run);
}

// Many processes take what none of them may alone.
TEST(a_storm_of_memory_is_ended)
{
  RunConfig config = {.memory_most = (uint64_t)36 << 20, .case_limit_ns = 20000 * ms_ns};
  Run *run = run_all(&config, (const char *[]){"version.storms", "version.passes", NULL});
  const Outcome *storm = outcome_of(run, "version.storms");
  ck_assert_int_eq(storm->kind, OUTCOME_LOST);
  ck_assert_ptr_nonnull(strstr(storm->lost, "memory ran out"));
  ck_assert_int_eq(outcome_of(run, "version.passes")->kind, OUTCOME_SEALED);
  finish(run);
}

TEST(workers_that_are_killed_again_and_again)
{
  Run *run = start(NULL, (const char *[]){"version.takes-worker-along", "version.passes", NULL});
  Selection selection = {
      .filters = (const char *[]){"version.takes-worker-along", "version.passes"},
      .filter_count = 2,
      .level = CLAUSE_HARDENING,
      .repeat = 20};
  plan_free(run->plan);
  run->plan = plan_make(&selection, INSPECT_PROFILE_RUNTIME, run->loaded.version);
  ck_assert(runner_run(run->runner, run->plan, take, run));
  ck_assert_uint_eq(run->given, 40);
  for (size_t i = 0; i < 40; ++i) {
    bool passes = strcmp(run->plan->items[i].instance->id, "version.passes") == 0;
    ck_assert_int_eq(run->outcomes[i].kind, passes ? OUTCOME_SEALED : OUTCOME_LOST);
  }
  finish(run);
}

// Whatever a case started is gone before the next one begins, in its own process group or not.
// There is one slot, so one child, its worker, and that has none.
static void expect_company_gone(const char *id)
{
  Run *run = run_all(NULL, (const char *[]){id, "version.rows", NULL});
  const Outcome *outcome = outcome_of(run, id);
  long company[2];
  if (outcome->output) {
    ck_assert_int_eq(sscanf(outcome->output, "%ld %ld", &company[0], &company[1]), 2);
    for (int i = 0; i < 2; ++i)
      ck_assert_msg(kill((pid_t)company[i], 0) != 0, "process %ld lives on", company[i]);
  }
  pid_t left[8], below[8];
  ck_assert_uint_eq(children_list(getpid(), left, 8), 1);
  ck_assert_uint_eq(children_list(left[0], below, 8), 0);
  finish(run);
}

TEST(the_time_limit_ends_all_processes_of_a_case)
{
  expect_company_gone("version.hangs-with-company");
}

TEST(the_end_of_a_case_ends_all_its_processes)
{
  expect_company_gone("version.leaves-company");
}

TEST(each_case_has_its_own_output)
{
  Run *run =
      run_all(NULL, (const char *[]){"version.writes", "version.whispers", "version.fails", NULL});
  const Outcome *loud = outcome_of(run, "version.writes");
  ck_assert_uint_eq(loud->output_bytes, 1 << 20);
  ck_assert_uint_ge(strlen(loud->output), 1024);
  ck_assert_uint_eq(strspn(loud->output, "w"), strlen(loud->output));
  ck_assert_str_eq(outcome_of(run, "version.whispers")->output, "psst");
  ck_assert_uint_eq(outcome_of(run, "version.whispers")->output_bytes, 4);
  ck_assert_ptr_null(outcome_of(run, "version.fails")->output);
  finish(run);
}

TEST(patience_multiplies_the_limit)
{
  Run *run = run_all(NULL, (const char *[]){"version.takes-its-time", "version.hangs", NULL});
  const Outcome *patient = outcome_of(run, "version.takes-its-time");
  ck_assert_int_eq(patient->kind, OUTCOME_SEALED);
  ck_assert_uint_ge(patient->duration_ns, 600 * ms_ns);
  ck_assert_uint_ge(outcome_of(run, "version.hangs")->duration_ns, LIMIT_MS * ms_ns);
  ck_assert_uint_eq(runner_limit_ns(run->runner, case_find("version.hangs")), LIMIT_MS * ms_ns);
  ck_assert_uint_eq(runner_limit_ns(run->runner, case_find("version.takes-its-time")),
                    10 * LIMIT_MS * ms_ns);
  finish(run);
}

// The case came to its end, or had all the time that one can have: on a machine that is that busy.
static void expect_more_time(const Outcome *starved)
{
  if (starved->kind == OUTCOME_TIMED_OUT)
    ck_assert_uint_eq(starved->limit_ns, 4 * LIMIT_MS * ms_ns);
  else
    ck_assert_int_eq(starved->kind, OUTCOME_SEALED);
  ck_assert_uint_ge(starved->duration_ns, LIMIT_MS * ms_ns);
}

TEST(waiting_for_a_processor_is_not_counted)
{
  Run *run = run_all(NULL, (const char *[]){"version.starves", NULL});
  const Outcome *starved = outcome_of(run, "version.starves");
  expect_more_time(starved);
  ck_assert_uint_ge(starved->limit_ns, 2 * LIMIT_MS * ms_ns);
  ck_assert_uint_le(starved->limit_ns, 4 * LIMIT_MS * ms_ns);
  finish(run);
}

enum { OTHERS = 4 };

// Processes that have the first processor most of the time.
static void start_others(pid_t others[OTHERS])
{
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  for (int i = 0; i < OTHERS; ++i)
    if ((others[i] = fork()) == 0) {
      sched_setaffinity(0, sizeof one, &one);
      for (;;) continue;
    }
}

static void end_others(const pid_t others[OTHERS])
{
  for (int i = 0; i < OTHERS; ++i) kill(others[i], SIGKILL);
  for (int i = 0; i < OTHERS; ++i) waitpid(others[i], NULL, 0);
}

// The one of which it is asked is a child of a child, as a case is of a worker. It takes a while until it is there, or sleeps.
TEST(who_could_run_is_ready)
{
  for (unsigned ready = 0; ready < 2; ++ready) {
    const pid_t parent = fork();
    if (parent == 0) {
      const pid_t child = fork();
      while (child == 0)
        if (!ready) pause();
      for (;;) pause();
    }
    unsigned seen = !ready;
    for (int turn = 0; turn < 500 && seen != ready; ++turn) {
      usleep(10000);
      seen = children_time(parent).ready;
      // Nothing is ready either before it is there.
      if (turn < 20) seen = ready ? seen : 1;
    }
    children_kill(parent, NULL, 0, NULL);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    ck_assert_uint_eq(seen, ready);
  }
}

TEST(copies_that_wait_are_not_counted)
{
  pid_t others[OTHERS];
  start_others(others);
  Run *run = run_all(NULL, (const char *[]){"version.starves-in-copies", NULL});
  end_others(others);
  expect_more_time(outcome_of(run, "version.starves-in-copies"));
  finish(run);
}

TEST(who_sleeps_waits_for_no_processor)
{
  pid_t others[OTHERS];
  start_others(others);
  Run *run = run_all(NULL, (const char *[]){"version.sleeps", NULL});
  end_others(others);
  const Outcome *asleep = outcome_of(run, "version.sleeps");
  ck_assert_int_eq(asleep->kind, OUTCOME_TIMED_OUT);
  ck_assert_uint_eq(asleep->limit_ns, LIMIT_MS * ms_ns);
  finish(run);
}

TEST(slow_calls_do_not_hang)
{
  Run *run = run_all(NULL, (const char *[]){"version.comes-back", "version.comes-back-once",
                                            "version.works-for-long", NULL});
  const Outcome *works = outcome_of(run, "version.works-for-long");
  ck_assert_int_eq(works->kind, OUTCOME_TIMED_OUT);
  ck_assert_uint_eq(works->limit_ns, 4 * LIMIT_MS * ms_ns);
  ck_assert_uint_eq(works->calls, 1);
  const Outcome *slow = outcome_of(run, "version.comes-back");
  ck_assert_int_eq(slow->kind, OUTCOME_TIMED_OUT);
  ck_assert_uint_eq(slow->limit_ns, 4 * LIMIT_MS * ms_ns);
  ck_assert_uint_gt(slow->calls, 10);
  const Outcome *hung = outcome_of(run, "version.comes-back-once");
  ck_assert_int_eq(hung->kind, OUTCOME_TIMED_OUT);
  ck_assert_uint_eq(hung->calls, 0);
  finish(run);
}

// Whether there is more to run than processors, at some moment of a second.
static bool others_have_processors(void)
{
  for (unsigned look = 0; look < 200; ++look) {
    if (children_machine_is_busy()) return true;
    usleep(5000);
  }
  return false;
}

// The budget is that of hangs, but another one: what hangs later has all of its time. Where the second one, too, has more
// time, for others that had the processors, it may come back no more, and is a hang itself: then it is tried again.
TEST(slow_calls_have_a_budget)
{
  enum { ATTEMPTS = 5 };
  const RunConfig budget = {.hang_budget_ns = 2 * LIMIT_MS * ms_ns};
  bool is_shorter = false;
  for (unsigned attempt = 0; attempt < ATTEMPTS && !is_shorter; ++attempt) {
    Run *run =
        run_all(&budget, (const char *[]){"version.comes-back", "version.comes-back-for-a-while",
                                          "version.comes-back-once", NULL});
    ck_assert_uint_eq(outcome_of(run, "version.comes-back")->limit_ns, 4 * LIMIT_MS * ms_ns);
    const Outcome *second = outcome_of(run, "version.comes-back-for-a-while");
    const Outcome *hung = outcome_of(run, "version.comes-back-once");
    is_shorter = second->limit_ns < 4 * LIMIT_MS * ms_ns && second->duration_ns < 1000 * ms_ns;
    if (is_shorter) {
      ck_assert_uint_gt(second->calls, 10);
      ck_assert_uint_eq(hung->calls, 0);
      ck_assert(!hung->limit_shortened);
    }
    finish(run);
  }
  ck_assert(is_shorter || others_have_processors());
}

// The last call comes back shortly before all time is up.
TEST(calls_that_come_back_no_more_hang)
{
  Run *run = run_all(NULL, (const char *[]){"version.comes-back-for-a-while", NULL});
  const Outcome *hung = outcome_of(run, "version.comes-back-for-a-while");
  ck_assert_int_eq(hung->kind, OUTCOME_TIMED_OUT);
  ck_assert_uint_eq(hung->limit_ns, 4 * LIMIT_MS * ms_ns);
  ck_assert_uint_eq(hung->calls, 0);
  finish(run);
}

// --- Stopping ------------------------------------------------------------------------------------

TEST(the_sink_can_stop_the_run)
{
  Run *run = start(NULL, (const char *[]){"version.rows", NULL});
  run->stop_after = 3;
  ck_assert(!runner_run(run->runner, run->plan, take, run));
  ck_assert_uint_eq(run->given, 3);
  ck_assert_int_eq(run->outcomes[2].kind, OUTCOME_SEALED);
  ck_assert_int_eq(run->outcomes[3].kind, OUTCOME_NOT_RUN);
  finish(run);
}

static volatile sig_atomic_t interrupted;

static void on_alarm(int number)
{
  (void)number;
  interrupted = 1;
}

// As large as one can be.
static Signature *large_signature(void)
{
  static char text[SIGNATURE_SIZE_MAX - sizeof(Signature) - sizeof(SignatureForm) - 24];
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureForm form = {.rest = SIGNATURE_NONE, .result = SIGNATURE_NONE};
  memset(text, 'a', sizeof text);
  memcpy(text + sizeof text - 7, "the end", 7);
  signature_add_text(build, text, sizeof text);
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  ck_assert_ptr_nonnull(signature);
  return signature;
}

TEST(a_signature_travels_with_its_function)
{
  const char *filters[] = {"version.knows-the-signature", NULL};
  Run *run = start(NULL, filters);
  ck_assert_uint_eq(run->plan->count, 1);
  const Kernel kernel = {.name = "add"};
  Signature *signature = large_signature();
  for (int i = 0; i < 3; ++i) {
    CaseInstance bound =
        case_bind(run->plan->items[0].instance, &kernel, i == 1 ? NULL : signature);
    const CaseInstance *before = run->plan->items[0].instance;
    run->plan->items[0].instance = &bound;
    ck_assert(runner_run(run->runner, run->plan, take, run));
    run->plan->items[0].instance = before;
    const Outcome *seen = &run->outcomes[0];
    ck_assert_int_eq(seen->end, i == 1 ? EVIDENCE_INCONCLUSIVE : EVIDENCE_FINISHED);
    ck_assert_uint_eq(seen->held, i == 1 ? 0 : 2);
    outcome_clear(&run->outcomes[0]);
    run->outcomes[0].kind = OUTCOME_NOT_RUN;
  }
  free(signature);
  finish(run);
}

TEST(a_user_can_interrupt_the_run)
{
  RunConfig config = {.interrupted = &interrupted};
  Run *run = start(&config, (const char *[]){"version.takes-its-time", "version.rows", NULL});
  signal(SIGALRM, on_alarm);
  ualarm(100000, 0);
  uint64_t started = slot_now_ns();
  ck_assert(!runner_run(run->runner, run->plan, take, run));
  ck_assert_uint_lt(slot_now_ns() - started, 500 * ms_ns);
  ck_assert_uint_eq(run->given, 0);
  finish(run);
}

TEST(what_does_not_apply_is_not_run)
{
  Run *run = start(NULL, (const char *[]){"version.rows", NULL});
  strcpy(run->plan->items[0].skip, "not today");
  strcpy(run->plan->items[9].skip, "not today");
  run->plan->applicable -= 2;
  ck_assert(runner_run(run->runner, run->plan, take, run));
  ck_assert_uint_eq(run->given, 8);
  ck_assert_int_eq(run->outcomes[0].kind, OUTCOME_NOT_RUN);
  ck_assert_int_eq(run->outcomes[1].kind, OUTCOME_SEALED);
  ck_assert_int_eq(run->outcomes[9].kind, OUTCOME_NOT_RUN);
  finish(run);
}

// --- Not even starting ---------------------------------------------------------------------------

static void expect_refused(const char *library, const char *worker, RunStatus status,
                           const char *says)
{
  Run *run = prepare(library);
  RunConfig config = usual_config(run);
  if (worker) config.worker = worker;
  run->runner = runner_open(&config, &run->loaded, &run->status, run->error, sizeof run->error);
  ck_assert_ptr_null(run->runner);
  ck_assert_msg(run->status == status, "%s: status %d", run->error, (int)run->status);
  ck_assert_msg(strstr(run->error, says) != NULL, "says \"%s\"", run->error);
  finish(run);
}

TEST(no_worker_no_library_and_a_foreign_worker)
{
  expect_refused(ENGINE_LIBRARY, "/nonexistent/worker", RUN_SUITE_FAULT, "/nonexistent/worker");
  expect_refused(ENGINE_LIBRARY, FOREIGN_WORKER, RUN_SUITE_FAULT, "another build");
  expect_refused("/nonexistent/library.so", NULL, RUN_CANNOT_LOAD, "dlopen failed");
}
