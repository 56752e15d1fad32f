// SPDX-License-Identifier: Apache-2.0
// Verdicts, standings, totals and the exit code. Cases that the registry has to know are declared
// here; none is run.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tests/report/test_report_sample.h"
#include "unit/unit.h"

CHAPTER(version);

CASE(told_twice, .clauses = {VER_1}, .title = "the version is told twice")
{
}

CASE(told_late, .clauses = {ONCE_1}, .title = "a case of a later version")
{
}

// --- One case ------------------------------------------------------------------------------------

static const struct {
  const char *name;
  Outcome outcome;
  const char *reason_given;  // by the case
  Verdict verdict;
  FailKind fail_kind;
  const char *reason;
} rules[] = {
    {"pass",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_FINISHED, .held = 1},
     NULL,
     VERDICT_PASS,
     FAIL_NONE,
     ""},
    {"saw nothing",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_FINISHED},
     NULL,
     VERDICT_INCONCLUSIVE,
     FAIL_NONE,
     "the case ended without checking anything"},
    {"one failed",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_FINISHED, .held = 5, .failed = 1},
     NULL,
     VERDICT_FAIL,
     FAIL_EXPECTATION,
     ""},
    {"requirement",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_REQUIREMENT, .held = 5, .failed = 1},
     NULL,
     VERDICT_FAIL,
     FAIL_EXPECTATION,
     ""},
    {"requirement without a failure",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_REQUIREMENT, .held = 5},
     NULL,
     VERDICT_INCONCLUSIVE,
     FAIL_NONE,
     "inconsistent evidence: a requirement ended the case, but nothing failed"},
    {"sealed, not ended",
     {.kind = OUTCOME_SEALED, .held = 5},
     NULL,
     VERDICT_INCONCLUSIVE,
     FAIL_NONE,
     "inconsistent evidence: sealed before the end of the case"},
    {"sealed, failed, not ended",
     {.kind = OUTCOME_SEALED, .held = 5, .failed = 1},
     NULL,
     VERDICT_INCONCLUSIVE,
     FAIL_NONE,
     "inconsistent evidence: sealed before the end of the case"},
    {"skip",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_SKIPPED, .held = 2},
     "the library has no TVMFFIBacktrace",
     VERDICT_SKIP,
     FAIL_NONE,
     "the library has no TVMFFIBacktrace"},
    {"skip after a failure",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_SKIPPED, .held = 2, .failed = 1},
     "why",
     VERDICT_FAIL,
     FAIL_EXPECTATION,
     ""},
    {"skip without a word",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_SKIPPED},
     NULL,
     VERDICT_SKIP,
     FAIL_NONE,
     "not applicable (the case gives no reason)"},
    {"not concerned",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_NOT_CONCERNED, .held = 2},
     "it does not ask the allocator",
     VERDICT_SKIP,
     FAIL_NONE,
     "it does not ask the allocator"},
    {"not concerned, after a failure",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_NOT_CONCERNED, .failed = 1},
     "it does not ask the allocator",
     VERDICT_FAIL,
     FAIL_EXPECTATION,
     ""},
    {"inconclusive",
     {.kind = OUTCOME_SEALED, .end = EVIDENCE_INCONCLUSIVE, .held = 2},
     "no second thread",
     VERDICT_INCONCLUSIVE,
     FAIL_NONE,
     "no second thread"},
    {"null pointer",
     {.kind = OUTCOME_CRASHED, .signal = SIGSEGV, .where = "TVMFFIObjectDecRef+0x1c"},
     NULL,
     VERDICT_FAIL,
     FAIL_CRASH,
     "SIGSEGV inside TVMFFIObjectDecRef+0x1c"},
    {"killed",
     {.kind = OUTCOME_CRASHED, .signal = SIGKILL, .held = 7},
     NULL,
     VERDICT_FAIL,
     FAIL_CRASH,
     "SIGKILL"},
    {"a signal without a name",
     {.kind = OUTCOME_CRASHED, .signal = 63},
     NULL,
     VERDICT_FAIL,
     FAIL_CRASH,
     "signal 63"},
    {"exit",
     {.kind = OUTCOME_EXITED, .exit_code = 0, .held = 9},
     NULL,
     VERDICT_FAIL,
     FAIL_EXIT,
     "called exit(0) before the end of the case"},
    {"time",
     {.kind = OUTCOME_TIMED_OUT, .held = 9},
     NULL,
     VERDICT_FAIL,
     FAIL_TIMEOUT,
     "timed out after 2 s"},
    {"slow calls",
     {.kind = OUTCOME_TIMED_OUT, .held = 9, .calls = 12},
     NULL,
     VERDICT_INCONCLUSIVE,
     FAIL_NONE,
     "out of time after 2 s, though calls came back, 12 of them: --timeout-scale gives it more"},
    {"slow calls, one of them wrong",
     {.kind = OUTCOME_TIMED_OUT, .held = 9, .failed = 1, .calls = 12},
     NULL,
     VERDICT_FAIL,
     FAIL_TIMEOUT,
     "timed out after 2 s"},
    {"lost",
     {.kind = OUTCOME_LOST, .held = 9, .lost = "the seal is wrong"},
     NULL,
     VERDICT_INCONCLUSIVE,
     FAIL_NONE,
     "the seal is wrong"},
    {"lost without a word",
     {.kind = OUTCOME_LOST},
     NULL,
     VERDICT_INCONCLUSIVE,
     FAIL_NONE,
     "the outcome of the case is unknown"},
    {"not run",
     {.kind = OUTCOME_NOT_RUN},
     NULL,
     VERDICT_INCONCLUSIVE,
     FAIL_NONE,
     "the run ended before this case"},
};

TEST(rule, .rows = ROWS(rules))
{
  Sample sample;
  sample_begin(&sample);
  CaseResult *result = sample_add(&sample, "object", rules[_i].name, CLAUSE_MUST);
  result->outcome = rules[_i].outcome;
  if (result->outcome.where) result->outcome.where = strdup(result->outcome.where);
  if (rules[_i].reason_given) strcpy(sample_evidence(result)->reason, rules[_i].reason_given);
  for (int turn = 0; turn < 2; ++turn) {  // judging again changes nothing
    judge_case(result, NULL, ABI_VERSION(0, 1, 9), 2000000000);
    ck_assert_msg(result->verdict == rules[_i].verdict, "%s: %s", rules[_i].name,
                  judge_verdict_name(result->verdict));
    ck_assert_msg(result->fail_kind == rules[_i].fail_kind, "%s", rules[_i].name);
    ck_assert_str_eq(result->reason, rules[_i].reason);
  }
  sample_end(&sample);
}

TEST(what_the_plan_skipped_keeps_its_reason)
{
  Sample sample;
  sample_begin(&sample);
  CaseResult *result = sample_add_skipped(&sample, "object", "later", "added in version 0.1.12");
  judge_case(result, NULL, ABI_VERSION(0, 1, 9), 0);
  ck_assert_int_eq(result->verdict, VERDICT_SKIP);
  ck_assert_str_eq(result->reason, "added in version 0.1.12");
  sample_end(&sample);
}

static const struct {
  int signal, code;
  uint64_t address;
  const char *fence, *reason;
} crashes[] = {
    {SIGSEGV, SEGV_MAPERR, 8, "", "SIGSEGV at address 0x8 inside f+0x1"},
    {SIGSEGV, SEGV_MAPERR, 4096, "", "SIGSEGV inside f+0x1"},  // differs from run to run
    {SIGBUS, BUS_ADRERR, 8, "", "SIGBUS at address 0x8 inside f+0x1"},
    {SIGSEGV, SEGV_ACCERR, UINT64_C(0x7f0000000000), "1 byte past the end of `args`",
     "SIGSEGV, 1 byte past the end of `args`, inside f+0x1"},
    {SIGSEGV, SI_USER, 8, "", "SIGSEGV inside f+0x1"},  // sent: there is no address
    {SIGABRT, SI_TKILL, 8, "", "SIGABRT inside f+0x1"},
    {SIGFPE, FPE_INTDIV, 8, "", "SIGFPE inside f+0x1"},
};

TEST(crash_is_described, .rows = ROWS(crashes))
{
  Sample sample;
  sample_begin(&sample);
  CaseResult *result = sample_add(&sample, "object", "crash", CLAUSE_MUST);
  result->outcome =
      (Outcome){.kind = OUTCOME_CRASHED, .signal = crashes[_i].signal, .where = strdup("f+0x1")};
  EvidenceCrash *crash = &sample_evidence(result)->crash;
  crash->signal = crashes[_i].signal;
  crash->code = crashes[_i].code;
  crash->address = crashes[_i].address;
  strcpy(crash->fence, crashes[_i].fence);
  judge_case(result, NULL, 0, 0);
  ck_assert_str_eq(result->reason, crashes[_i].reason);
  crash->signal = SIGUSR1;  // a record of another signal says nothing about this one
  judge_case(result, NULL, 0, 0);
  ck_assert_ptr_nonnull(strstr(result->reason, " inside f+0x1"));
  ck_assert_ptr_null(strstr(result->reason, "address"));
  ck_assert_ptr_null(strstr(result->reason, "args"));
  sample_end(&sample);
}

TEST(limits_are_told_in_fitting_units)
{
  static const struct {
    uint64_t ns;
    const char *reason;
  } limits[] = {{500000000, "timed out after 500 ms"},
                {2500000000, "timed out after 2.5 s"},
                {0, "timed out"}};
  Sample sample;
  sample_begin(&sample);
  CaseResult *result = sample_add(&sample, "object", "slow", CLAUSE_MUST);
  result->outcome.kind = OUTCOME_TIMED_OUT;
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
    judge_case(result, NULL, 0, limits[i].ns);
    ck_assert_str_eq(result->reason, limits[i].reason);
  }
  sample_end(&sample);
}

// Evidence is written by a process that may have run wild; no text in it need end.
TEST(texts_without_an_end_are_cut)
{
  Sample sample;
  sample_begin(&sample);
  CaseResult *result = sample_add(&sample, "object", "wild", CLAUSE_MUST);
  Evidence *evidence = sample_evidence(result);
  memset(evidence, 'x', sizeof *evidence);
  result->outcome.end = EVIDENCE_SKIPPED;
  judge_case(result, NULL, 0, 0);
  ck_assert_uint_eq(strlen(result->reason), sizeof evidence->reason);
  result->outcome.kind = OUTCOME_CRASHED;
  result->outcome.signal = SIGSEGV;
  evidence->crash.signal = SIGSEGV;
  judge_case(result, NULL, 0, 0);
  ck_assert_uint_eq(strlen(result->reason), strlen("SIGSEGV, ") + sizeof evidence->crash.fence);
  result->outcome.end = (EvidenceEnd)77;
  result->outcome.kind = OUTCOME_SEALED;
  judge_case(result, NULL, 0, 0);
  ck_assert_int_eq(result->verdict, VERDICT_INCONCLUSIVE);
  sample_end(&sample);
}

TEST(waivers_turn_fail_and_pass_and_nothing_else)
{
  static const struct {
    OutcomeKind kind;
    EvidenceEnd end;
    uint32_t failed;
    Verdict verdict;
    FailKind fail_kind;
  } turns[] = {
      {OUTCOME_SEALED, EVIDENCE_FINISHED, 1, VERDICT_XFAIL, FAIL_EXPECTATION},
      {OUTCOME_CRASHED, EVIDENCE_NOT_ENDED, 0, VERDICT_XFAIL, FAIL_CRASH},
      {OUTCOME_EXITED, EVIDENCE_NOT_ENDED, 0, VERDICT_XFAIL, FAIL_EXIT},
      {OUTCOME_TIMED_OUT, EVIDENCE_NOT_ENDED, 0, VERDICT_XFAIL, FAIL_TIMEOUT},
      {OUTCOME_SEALED, EVIDENCE_FINISHED, 0, VERDICT_XPASS, FAIL_NONE},
      {OUTCOME_SEALED, EVIDENCE_SKIPPED, 0, VERDICT_SKIP, FAIL_NONE},
      {OUTCOME_SEALED, EVIDENCE_INCONCLUSIVE, 0, VERDICT_INCONCLUSIVE, FAIL_NONE},
      {OUTCOME_LOST, EVIDENCE_NOT_ENDED, 0, VERDICT_INCONCLUSIVE, FAIL_NONE},
  };
  Sample sample;
  sample_begin(&sample);
  CaseResult *result = sample_add(&sample, "object", "waived", CLAUSE_MUST);
  sample_waive(&sample, "object.waived", "known");
  for (size_t i = 0; i < sizeof turns / sizeof turns[0]; ++i) {
    result->outcome =
        (Outcome){.kind = turns[i].kind, .end = turns[i].end, .held = 1, .failed = turns[i].failed};
    judge_case(result, &sample.set, ABI_VERSION(0, 1, 9), 0);
    ck_assert_int_eq(result->verdict, turns[i].verdict);
    ck_assert_int_eq(result->fail_kind, turns[i].fail_kind);
    ck_assert_ptr_eq(result->waiver, &sample.waivers[0]);
  }
  sample.waivers[0].until = ABI_VERSION(0, 1, 8);  // no longer in force
  result->outcome = (Outcome){.kind = OUTCOME_CRASHED, .signal = SIGSEGV};
  judge_case(result, &sample.set, ABI_VERSION(0, 1, 9), 0);
  ck_assert_int_eq(result->verdict, VERDICT_FAIL);
  ck_assert_ptr_null(result->waiver);
  sample_end(&sample);
}

// --- The run -------------------------------------------------------------------------------------

static const struct {
  Ending ending;
  ClauseLevel level;
  bool strict, waived;
  int exit_code;
  unsigned warnings;
} runs[] = {
    {ENDING_PASS, CLAUSE_MUST, false, false, 0, 0},
    {ENDING_FAIL, CLAUSE_MUST, false, false, 1, 0},
    {ENDING_CRASH, CLAUSE_MUST, false, false, 1, 0},
    {ENDING_EXIT, CLAUSE_MUST, false, false, 1, 0},
    {ENDING_HANG, CLAUSE_MUST, false, false, 1, 0},
    {ENDING_LOST, CLAUSE_MUST, false, false, 1, 0},
    {ENDING_UNTOLD, CLAUSE_MUST, false, false, 5, 0},
    {ENDING_UNTOLD, CLAUSE_SHOULD, false, false, 0, 1},
    {ENDING_UNTOLD, CLAUSE_SHOULD, true, false, 5, 0},
    {ENDING_SKIP, CLAUSE_MUST, false, false, 0, 0},
    {ENDING_FAIL, CLAUSE_SHOULD, false, false, 0, 1},
    {ENDING_CRASH, CLAUSE_SHOULD, false, false, 1, 0},
    {ENDING_EXIT, CLAUSE_SHOULD, false, false, 1, 0},
    {ENDING_HANG, CLAUSE_SHOULD, false, false, 1, 0},
    {ENDING_CRASH, CLAUSE_SHOULD, false, true, 0, 0},
    {ENDING_LOST, CLAUSE_SHOULD, false, false, 0, 1},
    {ENDING_FAIL, CLAUSE_SHOULD, true, false, 1, 0},
    {ENDING_LOST, CLAUSE_SHOULD, true, false, 1, 0},
    {ENDING_FAIL, CLAUSE_MUST, false, true, 0, 0},
    {ENDING_CRASH, CLAUSE_MUST, false, true, 0, 0},
    {ENDING_PASS, CLAUSE_MUST, false, true, 1, 0},
    {ENDING_PASS, CLAUSE_SHOULD, false, true, 1, 0},
    {ENDING_LOST, CLAUSE_MUST, false, true, 1, 0},
    {ENDING_FAIL, CLAUSE_SHOULD, true, true, 0, 0},
    {ENDING_NOT_RUN, CLAUSE_MUST, false, false, 1, 0},
    {ENDING_NOT_RUN, CLAUSE_SHOULD, false, false, 0, 0},
};

TEST(one_case_decides, .rows = ROWS(runs))
{
  Sample sample;
  sample_begin(&sample);
  sample_add(&sample, "object", "fine", CLAUSE_MUST);
  sample_let_end(sample_add(&sample, "object", "other", runs[_i].level), runs[_i].ending);
  if (runs[_i].strict) sample.report.gate.level = CLAUSE_SHOULD;
  if (runs[_i].waived) sample_waive(&sample, "object.other", "known");
  sample_judge(&sample);
  ck_assert_int_eq(sample.report.verdict.exit_code, runs[_i].exit_code);
  ck_assert_int_eq(sample_conforms(&sample), runs[_i].exit_code == 0);
  ck_assert_uint_eq(sample.report.totals.warnings, runs[_i].warnings);
  sample.report.interrupted = true;
  sample_judge(&sample);
  ck_assert_int_eq(sample.report.verdict.exit_code, 130);
  sample_end(&sample);
}

// Beside a failure, a case that could not tell changes nothing.
static const Ending bad[] = {ENDING_FAIL, ENDING_CRASH, ENDING_LOST, ENDING_NOT_RUN};

TEST(a_failure_is_one_beside_what_could_not_be_told, .rows = ROWS(bad))
{
  Sample sample;
  sample_begin(&sample);
  sample_let_end(sample_add(&sample, "object", "other", CLAUSE_MUST), ENDING_UNTOLD);
  sample_let_end(sample_add(&sample, "object", "fine", CLAUSE_MUST), bad[_i]);
  sample_judge(&sample);
  ck_assert_int_eq(sample.report.verdict.standing, STANDING_DOES_NOT_CONFORM);
  sample_end(&sample);
}

TEST(nothing_run_is_no_conformance)
{
  Sample sample;
  sample_begin(&sample);
  sample_judge(&sample);
  ck_assert(!sample_conforms(&sample));
  sample_add_skipped(&sample, "object", "later", "added in version 0.1.12");
  sample_judge(&sample);
  ck_assert(!sample_conforms(&sample));
  ck_assert_int_eq(sample.report.verdict.exit_code, EXIT_INCONCLUSIVE);
  sample_add(&sample, "object", "fine", CLAUSE_MUST);
  sample_judge(&sample);
  ck_assert(sample_conforms(&sample));
  sample.report.complete = false;
  sample_judge(&sample);
  ck_assert(!sample_conforms(&sample));
  sample_end(&sample);
}

static RunStanding standing_with(Sample *sample, unsigned min_judged)
{
  sample->report.min_judged = min_judged;
  sample_judge(sample);
  return sample->report.verdict.standing;
}

// Of 4 MUST clauses 1 is judged, of the others nothing can be said.
static void sample_begin_little(Sample *sample)
{
  unsigned id = VER_1;
  sample_begin(sample);
  sample_add(sample, "version", "fine", CLAUSE_MUST);
  for (int i = 1; i < 4; ++i) {
    CaseResult *result = sample_add_skipped(sample, "version", "x", "its signature is unknown");
    do ++id;
    while (clause_get((ClauseId)id)->level != CLAUSE_MUST ||
           !(clause_get((ClauseId)id)->scopes & CLAUSE_PROFILE_RUNTIME));
    sample->instances[i].clauses[0] = (ClauseId)id;
    result->not_applicable = false;
  }
}

TEST(too_little_judged_is_inconclusive)
{
  Sample sample;
  sample_begin_little(&sample);
  ck_assert_int_eq(standing_with(&sample, 26), STANDING_INCONCLUSIVE);
  ck_assert_int_eq(sample.report.verdict.exit_code, EXIT_INCONCLUSIVE);
  ck_assert_uint_eq(sample.report.verdict.must.judged, 1);
  ck_assert_uint_eq(sample.report.verdict.must.applicable, 4);
  ck_assert_str_eq(sample.report.verdict.reasons[0],
                   "1 of 4 applicable MUST clauses could be judged, less than 26 % (--min-judged)");
  ck_assert_int_eq(standing_with(&sample, 25), STANDING_CONFORMS);
  ck_assert_int_eq(standing_with(&sample, 0), STANDING_CONFORMS);
  // What does not apply is not asked for.
  for (int i = 1; i < 4; ++i) sample.report.results[i].not_applicable = true;
  ck_assert_int_eq(standing_with(&sample, 100), STANDING_CONFORMS);
  sample_end(&sample);
}

TEST(clauses_that_do_not_concern_the_library_do_not_apply)
{
  Sample sample;
  sample_begin_little(&sample);
  for (int i = 1; i < 4; ++i) {
    CaseResult *result = &sample.report.results[i];
    result->outcome = (Outcome){.kind = OUTCOME_SEALED, .end = EVIDENCE_NOT_CONCERNED};
    judge_case(result, NULL, ABI_VERSION(0, 1, 9), 0);
  }
  ck_assert_int_eq(standing_with(&sample, 100), STANDING_CONFORMS);
  ck_assert_uint_eq(sample.report.verdict.must.applicable, 1);
  sample_end(&sample);
}

TEST(a_failure_outranks_too_little_judged)
{
  Sample sample;
  sample_begin_little(&sample);
  sample.report.results[0].outcome.failed = 1;
  ck_assert_int_eq(standing_with(&sample, 90), STANDING_DOES_NOT_CONFORM);
  ck_assert_int_eq(sample.report.verdict.exit_code, EXIT_DOES_NOT_CONFORM);
  sample_waive(&sample, "version.fine", "known");
  ck_assert_int_eq(standing_with(&sample, 90), STANDING_INCONCLUSIVE);
  ck_assert_int_eq(standing_with(&sample, 0), STANDING_BROKEN_KNOWN);
  ck_assert_int_eq(sample.report.verdict.exit_code, EXIT_CONFORMS);
  ck_assert_str_eq(sample.report.verdict.text,
                   "BROKEN, KNOWN but otherwise conforms to TVM FFI ABI 0.1.9 (runtime): 1 case "
                   "failed as waivers expect");
  sample_end(&sample);
}

TEST(slow_calls_leave_it_open)
{
  Sample sample;
  sample_begin(&sample);
  sample_add(&sample, "version", "fine", CLAUSE_MUST);
  CaseResult *slow = sample_add(&sample, "version", "slow", CLAUSE_MUST);
  slow->outcome = (Outcome){.kind = OUTCOME_TIMED_OUT, .calls = 3};
  ck_assert_int_eq(standing_with(&sample, 0), STANDING_INCONCLUSIVE);
  ck_assert_int_eq(sample.report.verdict.exit_code, EXIT_INCONCLUSIVE);
  slow->outcome.calls = 0;
  ck_assert_int_eq(standing_with(&sample, 0), STANDING_DOES_NOT_CONFORM);
  sample_end(&sample);
}

TEST(the_verdict_names_the_scopes_of_a_part)
{
  Sample sample;
  sample_begin(&sample);
  sample_add(&sample, "version", "fine", CLAUSE_MUST);
  sample_judge(&sample);
  ck_assert_str_eq(sample.report.verdict.scopes_why, "core, frontend, headers: all are judged");
  sample.selection.scopes = CLAUSE_SCOPE_CORE;
  sample.selection.scopes_found = true;
  sample_judge(&sample);
  ck_assert_str_eq(sample.report.verdict.text, "CONFORMS to TVM FFI ABI 0.1.9 (runtime: core)");
  ck_assert_str_eq(sample.report.verdict.scopes_why,
                   "core: the library registers none of the functions that language packages "
                   "call, and knows none of the types of containers");
  sample.selection.scopes |= CLAUSE_SCOPE_HEADERS;
  sample.selection.scopes_found = false;
  sample_judge(&sample);
  ck_assert_str_eq(sample.report.verdict.scopes_why, "core, headers: selected by --scope");
  sample_end(&sample);
}

TEST(what_could_not_be_loaded_is_not_judged)
{
  Sample sample;
  sample_begin(&sample);
  sample.report.not_judged = "its constructor crashed";
  sample_judge(&sample);
  ck_assert_int_eq(sample.report.verdict.standing, STANDING_NOT_JUDGED);
  ck_assert_int_eq(sample.report.verdict.exit_code, EXIT_CANNOT_LOAD);
  ck_assert_str_eq(sample.report.verdict.reasons[0], "its constructor crashed");
  sample_end(&sample);
}

TEST(totals_count_everything_once)
{
  Sample sample;
  sample_begin(&sample);
  for (Ending ending = ENDING_PASS; ending <= ENDING_NOT_RUN; ++ending)
    sample_let_end(sample_add(&sample, "object", "x", CLAUSE_MUST), ending);
  sample_let_end(sample_add(&sample, "object", "x", CLAUSE_SHOULD), ENDING_HANG);
  sample.tests[sample.report.result_count - 1].wrong_call = true;
  sample_add_skipped(&sample, "any", "a", "one reason");
  sample_add_skipped(&sample, "any", "b", "another");
  sample_add_skipped(&sample, "any", "c", "one reason");
  sample_judge(&sample);
  const RunTotals *totals = &sample.report.totals;
  ck_assert_uint_eq(totals->cases, 13);
  ck_assert_uint_eq(totals->run, 8);
  ck_assert_uint_eq(totals->not_run, 1);
  ck_assert_uint_eq(totals->by_verdict[VERDICT_PASS], 1);
  ck_assert_uint_eq(totals->by_verdict[VERDICT_FAIL], 5);
  ck_assert_uint_eq(totals->by_verdict[VERDICT_INCONCLUSIVE], 3);
  ck_assert_uint_eq(totals->by_verdict[VERDICT_SKIP], 4);
  ck_assert_uint_eq(totals->crashed, 1);
  ck_assert_uint_eq(totals->exited, 1);
  ck_assert_uint_eq(totals->timed_out, 2);
  ck_assert_uint_eq(totals->warnings, 1);
  ck_assert_uint_eq(totals->skip_reasons, 3);
  sample_end(&sample);
}

static void expect_standings(const Sample *sample, ClauseStanding first, ClauseStanding second)
{
  ck_assert_int_eq(sample->report.standings[VER_1], first);
  ck_assert_int_eq(sample->report.standings[VER_5], second);
  ck_assert_int_eq(sample->report.standings[VER_2], CLAUSE_NOT_JUDGED);
}

static void expect_counts(const Sample *sample, ClauseLevel level, unsigned judged, unsigned holds)
{
  const ClauseCounts *counts = &sample->report.verdict.counts[0][level];
  ck_assert_uint_eq(verdict_scopes[0], CLAUSE_SCOPE_CORE);
  ck_assert_uint_eq(counts->judged, judged);
  ck_assert_uint_eq(counts->holds, holds);
}

TEST(standings_of_clauses)
{
  Sample sample;
  sample_begin(&sample);
  CaseResult *first = sample_add(&sample, "version", "a", CLAUSE_MUST);
  CaseResult *second = sample_add(&sample, "version", "b", CLAUSE_SHOULD);
  sample_judge(&sample);
  expect_standings(&sample, CLAUSE_HOLDS, CLAUSE_HOLDS);
  expect_counts(&sample, CLAUSE_MUST, 1, 1);
  expect_counts(&sample, CLAUSE_SHOULD, 1, 1);

  second->outcome.failed = 1;
  sample_add(&sample, "version", "c", CLAUSE_SHOULD);  // passes: broken stays broken
  sample_judge(&sample);
  expect_standings(&sample, CLAUSE_HOLDS, CLAUSE_BROKEN);
  expect_counts(&sample, CLAUSE_SHOULD, 1, 0);

  first->outcome.kind = OUTCOME_LOST;  // no verdict says nothing
  sample_judge(&sample);
  expect_standings(&sample, CLAUSE_NOT_JUDGED, CLAUSE_BROKEN);

  first->outcome.kind = OUTCOME_CRASHED;
  sample_waive(&sample, "version.a", "known");  // waived is broken all the same
  sample_judge(&sample);
  expect_standings(&sample, CLAUSE_BROKEN, CLAUSE_BROKEN);
  ck_assert(sample_conforms(&sample));
  sample_end(&sample);
}

TEST(every_clause_of_a_case_stands_with_it)
{
  Sample sample;
  sample_begin(&sample);
  CaseResult *result = sample_add(&sample, "version", "a", CLAUSE_MUST);
  for (int i = 0; i < CASE_CLAUSES_MAX; ++i)
    sample.instances[0].clauses[i] = (ClauseId)(i + 1);  // no end marker
  result->outcome.failed = 1;
  sample_judge(&sample);
  for (int i = 1; i < CLAUSE_COUNT; ++i)
    ck_assert_int_eq(sample.report.standings[i],
                     i <= CASE_CLAUSES_MAX ? CLAUSE_BROKEN : CLAUSE_NOT_JUDGED);
  sample_end(&sample);
}

// --- Waivers that match nothing ------------------------------------------------------------------

// Two cases of the registry: one that ran, one that the library's version does not have.
static void begin_registered(Sample *sample)
{
  sample_begin(sample);
  CaseResult *ran = sample_add(sample, "version", "told-twice", CLAUSE_MUST);
  ran->instance = case_find("version.told-twice");
  CaseResult *skipped =
      sample_add_skipped(sample, "version", "told-late", "added in version 0.1.5");
  skipped->instance = case_find("version.told-late");
  ck_assert_ptr_nonnull(ran->instance);
  ck_assert_ptr_nonnull(skipped->instance);
}

TEST(a_waiver_that_waives_nothing_is_a_failure)
{
  Sample sample;
  begin_registered(&sample);
  sample_waive(&sample, "version.told-late", "known");
  sample_judge(&sample);
  ck_assert_uint_eq(sample.report.unmatched_count, 1);
  ck_assert_ptr_eq(sample.report.unmatched[0], &sample.waivers[0]);
  ck_assert(!sample_conforms(&sample));
  sample_judge(&sample);  // and again
  ck_assert_uint_eq(sample.report.unmatched_count, 1);

  sample.report.reported_version =
      ABI_VERSION(0, 1, 4);  // the case is not of this version: not the waiver's fault
  sample_judge(&sample);
  ck_assert_uint_eq(sample.report.unmatched_count, 0);
  ck_assert(sample_conforms(&sample));
  sample_end(&sample);
}

TEST(a_waiver_is_not_blamed_for_what_was_not_asked)
{
  Sample sample;
  begin_registered(&sample);
  const char *filters[] = {"version.told-twice"};
  sample_waive(&sample, "version.told-late", "known");
  sample.selection.filters = filters;
  sample.selection.filter_count = 1;
  sample_judge(&sample);
  ck_assert_uint_eq(sample.report.unmatched_count, 0);

  sample.selection.filter_count = 0;
  sample.selection.shard = 1;
  sample.selection.shards = 2;
  sample_judge(&sample);
  ck_assert_uint_eq(sample.report.unmatched_count, 0);

  sample.selection.shards = 0;
  sample.waivers[0].until = ABI_VERSION(0, 1, 8);
  sample_judge(&sample);
  ck_assert_uint_eq(sample.report.unmatched_count, 0);

  sample.waivers[0].until = UINT32_MAX;
  sample.report.complete = false;
  sample_judge(&sample);
  ck_assert_uint_eq(sample.report.unmatched_count, 0);

  sample.report.complete = true;
  sample_judge(&sample);
  ck_assert_uint_eq(sample.report.unmatched_count, 1);
  sample_end(&sample);
}

TEST(results_begin_as_the_plan_has_them)
{
  size_t count;
  PlanItem items[3] = {{.instance = case_registry(&count), .skip = "for the module profile"}};
  items[1].instance = items[2].instance = items[0].instance;
  Plan plan = {.items = items, .count = 3, .applicable = 2};
  InspectReport library = {.profile = INSPECT_PROFILE_RUNTIME};
  RunReport report = {.library = &library,
                      .reported_version = ABI_VERSION(0, 1, 9),
                      .profile = "runtime",
                      .complete = true};
  ck_assert(judge_begin(&report, &plan));
  ck_assert_uint_eq(report.result_count, 3);
  ck_assert_uint_eq(report.totals.cases, 3);
  ck_assert_uint_eq(report.totals.by_verdict[VERDICT_SKIP], 1);
  ck_assert_uint_eq(report.totals.not_run, 2);
  ck_assert_str_eq(report.results[0].reason, "for the module profile");
  report.results[1].outcome =
      (Outcome){.kind = OUTCOME_SEALED, .end = EVIDENCE_FINISHED, .held = 1};
  for (int i = 0; i < 3; ++i) judge_case(&report.results[i], NULL, 0, 0);
  ck_assert_int_eq(report.results[0].verdict, VERDICT_SKIP);
  ck_assert_int_eq(report.results[1].verdict, VERDICT_PASS);
  ck_assert_str_eq(report.results[1].reason, "");
  ck_assert_int_eq(report.results[2].verdict, VERDICT_INCONCLUSIVE);
  ck_assert(judge_run(&report));
  ck_assert_uint_eq(report.totals.run, 1);
  ck_assert_int_eq(report.verdict.standing, STANDING_DOES_NOT_CONFORM);
  judge_free(&report);
}
