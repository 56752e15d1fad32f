// SPDX-License-Identifier: Apache-2.0
#include "judge/judge.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/known_headers.h"
#include "judge/skip_reasons.h"
#include "run/signal_name.h"

// An address below this can only come from a null pointer and a small offset. Larger ones differ
// from run to run and are left out of reasons, so that two runs over the same bytes say the same.
enum { NULL_PAGE_SIZE = 4096 };

static const char before_its_turn[] = "the run ended before this case";

static const char *const verdict_names[VERDICT_COUNT] = {
    [VERDICT_PASS] = "pass",   [VERDICT_FAIL] = "fail",
    [VERDICT_SKIP] = "skip",   [VERDICT_INCONCLUSIVE] = "inconclusive",
    [VERDICT_XFAIL] = "xfail", [VERDICT_XPASS] = "xpass",
};

const char *judge_verdict_name(Verdict verdict)
{
  return verdict_names[verdict];
}

const char *judge_fail_kind_name(FailKind kind)
{
  static const char *const names[] = {
      [FAIL_NONE] = "",     [FAIL_EXPECTATION] = "expectation", [FAIL_CRASH] = "crash",
      [FAIL_EXIT] = "exit", [FAIL_TIMEOUT] = "timeout",
  };
  return names[kind];
}

const char *judge_standing_name(ClauseStanding standing)
{
  static const char *const names[] = {
      [CLAUSE_NOT_JUDGED] = "not_judged", [CLAUSE_HOLDS] = "holds", [CLAUSE_BROKEN] = "broken"};
  return names[standing];
}

__attribute__((format(printf, 2, 3))) static void say(CaseResult *result, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(result->reason, sizeof result->reason, format, arguments);
  va_end(arguments);
}

// --- One case ------------------------------------------------------------------------------------

static Verdict fail(CaseResult *result, FailKind kind)
{
  result->fail_kind = kind;
  return VERDICT_FAIL;
}

// The reason that the case itself gave. Evidence comes from a process that may have run wild: its
// texts need not end.
static void say_what_the_case_said(CaseResult *result, const char *otherwise)
{
  const Evidence *evidence = result->outcome.evidence;
  size_t length = evidence ? strnlen(evidence->reason, sizeof evidence->reason) : 0;
  if (length)
    say(result, "%.*s", (int)length, evidence->reason);
  else
    say(result, "%s", otherwise);
}

static Verdict judge_sealed(CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  if (outcome->failed > 0 && outcome->end != EVIDENCE_NOT_ENDED)
    return fail(result, FAIL_EXPECTATION);
  switch (outcome->end) {
    case EVIDENCE_NOT_CONCERNED:
      result->not_applicable = true;
      say_what_the_case_said(result, "not applicable (the case gives no reason)");
      return VERDICT_SKIP;
    case EVIDENCE_SKIPPED:
      say_what_the_case_said(result, "not applicable (the case gives no reason)");
      return VERDICT_SKIP;
    case EVIDENCE_INCONCLUSIVE:
      say_what_the_case_said(result, "inconclusive (the case gives no reason)");
      return VERDICT_INCONCLUSIVE;
    case EVIDENCE_FINISHED:
      if (outcome->held > 0) return VERDICT_PASS;
      say(result, "the case ended without checking anything");
      return VERDICT_INCONCLUSIVE;
    case EVIDENCE_REQUIREMENT:
      say(result, "inconsistent evidence: a requirement ended the case, but nothing failed");
      return VERDICT_INCONCLUSIVE;
    case EVIDENCE_NOT_ENDED:
      break;
  }
  say(result, "inconsistent evidence: sealed before the end of the case");
  return VERDICT_INCONCLUSIVE;
}

// " at address 0x8", ", 1 byte past the end of `args`", or nothing.
static void describe_address(const Outcome *outcome, char *text, size_t size)
{
  text[0] = '\0';
  if (!outcome->evidence) return;
  const EvidenceCrash *crash = &outcome->evidence->crash;
  // With a code of 0 or less the signal was sent, not caused by an access, and there is no address.
  if (crash->signal != outcome->signal || crash->code <= 0) return;
  if (outcome->signal != SIGSEGV && outcome->signal != SIGBUS) return;
  size_t fence = strnlen(crash->fence, sizeof crash->fence);
  if (fence)
    snprintf(text, size, ", %.*s", (int)fence, crash->fence);
  else if (crash->address < NULL_PAGE_SIZE)
    snprintf(text, size, " at address 0x%llx", (unsigned long long)crash->address);
}

static Verdict judge_crash(CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  char name[SIGNAL_NAME_MAX], address[200];
  describe_address(outcome, address, sizeof address);
  say(result, "%s%s%s%s", signal_name(outcome->signal, name), address,
      !outcome->where     ? ""
      : address[0] == ',' ? ", inside "
                          : " inside ",
      outcome->where ? outcome->where : "");
  return fail(result, FAIL_CRASH);
}

static Verdict judge_exit(CaseResult *result)
{
  say(result, "called exit(%d) before the end of the case", result->outcome.exit_code);
  return fail(result, FAIL_EXIT);
}

// Calls still came back: the function is slow, which nobody forbids.
static Verdict judge_slow(CaseResult *result, uint64_t limit_ns)
{
  say(result,
      "out of time after %g s, though calls came back, %u of them: --timeout-scale gives it more",
      (double)(limit_ns / 1000000) / 1000, (unsigned)result->outcome.calls);
  return VERDICT_INCONCLUSIVE;
}

static Verdict judge_timeout(CaseResult *result, uint64_t limit_ns)
{
  if (result->outcome.calls > 0 && result->outcome.failed == 0) return judge_slow(result, limit_ns);
  uint64_t ms = limit_ns / 1000000;
  const char *shorter =
      result->outcome.limit_shortened ? ", less than usual: others hung before" : "";
  if (limit_ns == 0)
    say(result, "timed out");
  else if (ms < 1000)
    say(result, "timed out after %u ms%s", (unsigned)ms, shorter);
  else
    say(result, "timed out after %g s%s", (double)ms / 1000, shorter);
  return fail(result, FAIL_TIMEOUT);
}

static Verdict judge_outcome(CaseResult *result, uint64_t limit_ns)
{
  const Outcome *outcome = &result->outcome;
  switch (outcome->kind) {
    case OUTCOME_NOT_RUN:
      if (outcome->lost) {
        say(result, "%s", outcome->lost);
        return VERDICT_INCONCLUSIVE;
      }
      if (result->reason[0] && strcmp(result->reason, before_its_turn) != 0) return VERDICT_SKIP;
      say(result, "%s", before_its_turn);
      return VERDICT_INCONCLUSIVE;
    case OUTCOME_SEALED:
      return judge_sealed(result);
    case OUTCOME_CRASHED:
      return judge_crash(result);
    case OUTCOME_EXITED:
      return judge_exit(result);
    case OUTCOME_TIMED_OUT:
      return judge_timeout(result, limit_ns);
    case OUTCOME_LOST:
      break;
  }
  say(result, "%s", outcome->lost ? outcome->lost : "the outcome of the case is unknown");
  return VERDICT_INCONCLUSIVE;
}

void judge_case(CaseResult *result, const WaiverSet *waivers, uint32_t version, uint64_t limit_ns)
{
  if (result->outcome.kind != OUTCOME_NOT_RUN) result->reason[0] = '\0';
  result->fail_kind = FAIL_NONE;
  result->verdict = judge_outcome(result, limit_ns);
  result->waiver = waivers_find(waivers, result->instance->id, version);
  if (result->waiver && result->verdict == VERDICT_FAIL) result->verdict = VERDICT_XFAIL;
  if (result->waiver && result->verdict == VERDICT_PASS) result->verdict = VERDICT_XPASS;
}

void judge_attribute(const RunReport *report, CaseResult *result)
{
  const char *known = known_headers(report->library, result);
  result->of_headers = known != NULL;
  if (!known) return;
  result->verdict = VERDICT_SKIP;
  result->fail_kind = FAIL_NONE;
  say(result, "%s", known);
}

// --- The run -------------------------------------------------------------------------------------

// Whether the library has to bear every call of the case: a MUST promises an answer to it, a SHOULD
// does unless the case is marked, and HARDENING is about calls that nobody promises anything of.
static bool makes_right_calls(const CaseInstance *instance)
{
  return instance->level == CLAUSE_MUST ||
         (instance->level == CLAUSE_SHOULD && !instance->test->wrong_call);
}

// Whether an expectation that did not hold was about a leak. Evidence of a case that ran wild may
// have more than 0 or 1 in a bool.
static bool leaked(const Outcome *outcome)
{
  if (!outcome->evidence) return false;
  for (uint32_t i = 0; i < outcome->failed && i < EVIDENCE_FAILURES_MAX; ++i) {
    unsigned char leak;
    memcpy(&leak, &outcome->evidence->failures[i].leak, 1);
    if (leak) return true;
  }
  return false;
}

// A case of right calls that crashed, ended the process, hung or leaked counts whatever the gate: no
// reason in a file makes that harmless. A SHOULD case that ran out of a limit which the hangs of
// others shortened need not have hung.
static bool counts_always(const CaseResult *result)
{
  if (result->verdict != VERDICT_FAIL || !makes_right_calls(result->instance)) return false;
  if (result->fail_kind == FAIL_EXPECTATION) return leaked(&result->outcome);
  return result->fail_kind != FAIL_TIMEOUT || !result->outcome.limit_shortened ||
         result->instance->level == CLAUSE_MUST;
}

bool judge_counts_against(const RunReport *report, const CaseResult *result)
{
  switch (result->verdict) {
    case VERDICT_XPASS:
      return true;
    case VERDICT_FAIL:
    case VERDICT_INCONCLUSIVE:
      return counts_always(result) || gate_counts_case(&report->gate, result->instance);
    default:
      return false;
  }
}

static void stand(RunReport *report, const CaseResult *result)
{
  bool holds = result->verdict == VERDICT_PASS || result->verdict == VERDICT_XPASS;
  bool broken = result->verdict == VERDICT_FAIL || result->verdict == VERDICT_XFAIL;
  if (!holds && !broken) return;
  const ClauseId *clauses = result->instance->clauses;
  for (int i = 0; i < CASE_CLAUSES_MAX && clauses[i] != CLAUSE_NONE; ++i) {
    ClauseStanding *standing = &report->standings[clauses[i]];
    if (broken) *standing = CLAUSE_BROKEN;
    if (holds && *standing == CLAUSE_NOT_JUDGED) *standing = CLAUSE_HOLDS;
  }
}

static void count_case(RunReport *report, const CaseResult *result)
{
  RunTotals *totals = &report->totals;
  bool bad = result->verdict == VERDICT_FAIL || result->verdict == VERDICT_INCONCLUSIVE;
  bool ran = result->outcome.kind != OUTCOME_NOT_RUN;
  ++totals->cases;
  ++totals->by_verdict[result->verdict];
  totals->of_headers += result->of_headers;
  totals->run += ran && result->verdict != VERDICT_SKIP;
  totals->not_run += !ran && result->verdict == VERDICT_INCONCLUSIVE;
  totals->warnings += ran && bad && !judge_counts_against(report, result);
  if (result->verdict != VERDICT_FAIL) return;
  totals->crashed += result->fail_kind == FAIL_CRASH;
  totals->exited += result->fail_kind == FAIL_EXIT;
  totals->timed_out += result->fail_kind == FAIL_TIMEOUT;
}

static void count_skip_reasons(RunReport *report)
{
  size_t count;
  free(skip_reasons(report, &count));
  report->totals.skip_reasons = (unsigned)count;
}

static void count_all(RunReport *report)
{
  memset(&report->totals, 0, sizeof report->totals);
  memset(report->standings, 0, CLAUSE_COUNT * sizeof *report->standings);
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    stand(report, result);
    count_case(report, result);
  }
  count_skip_reasons(report);
}

// --- Waivers that waive nothing ------------------------------------------------------------------

static bool was_used(const RunReport *report, const Waiver *waiver)
{
  for (size_t i = 0; i < report->result_count; ++i)
    if (report->results[i].waiver == waiver && report->results[i].verdict != VERDICT_SKIP)
      return true;
  return false;
}

static bool is_out_of_scope(const RunReport *report, const CaseInstance *instance)
{
  unsigned scopes = report->selection ? report->selection->scopes : 0;
  return scopes && (instance->scope & CLAUSE_PROFILE_RUNTIME) && !(instance->scope & scopes);
}

// True if a case that the waiver names was asked for and exists in the version that the library
// reports.
static bool was_asked_for(const RunReport *report, const Waiver *waiver)
{
  size_t count;
  const CaseInstance *all = case_registry(&count);
  uint32_t version = report->reported_version;
  for (size_t i = 0; i < count; ++i) {
    if (!waivers_names(waiver, all[i].id)) continue;
    if (all[i].since > version || all[i].until < version) continue;
    if (is_out_of_scope(report, &all[i])) continue;
    if (!report->selection || plan_selects(report->selection, &all[i])) return true;
  }
  return false;
}

static bool list_unmatched(RunReport *report)
{
  const WaiverSet *set = report->waivers;
  free(report->unmatched);
  report->unmatched = NULL;
  report->unmatched_count = 0;
  bool sharded = report->selection && report->selection->shards > 1;
  if (!set || set->count == 0 || !report->complete || sharded) return true;
  report->unmatched = calloc(set->count, sizeof *report->unmatched);
  if (!report->unmatched) return false;
  for (size_t i = 0; i < set->count; ++i) {
    const Waiver *waiver = &set->items[i];
    bool in_force =
        waiver->since <= report->reported_version && report->reported_version <= waiver->until;
    if (in_force && !was_used(report, waiver) && was_asked_for(report, waiver))
      report->unmatched[report->unmatched_count++] = waiver;
  }
  return true;
}

// --- Beginning and end ---------------------------------------------------------------------------

static bool have_standings(RunReport *report)
{
  if (!report->standings) report->standings = calloc(CLAUSE_COUNT, sizeof *report->standings);
  return report->standings != NULL;
}

bool judge_begin(RunReport *report, const Plan *plan)
{
  report->results = calloc(plan->count ? plan->count : 1, sizeof *report->results);
  if (!report->results || !have_standings(report)) return false;
  report->result_count = plan->count;
  report->sharing = plan->sharing;
  for (size_t i = 0; i < plan->count; ++i) {
    CaseResult *result = &report->results[i];
    result->instance = plan->items[i].instance;
    result->not_applicable = plan->items[i].not_applicable;
    say(result, "%s", plan->items[i].skip);
    judge_case(result, report->waivers, report->reported_version, 0);
  }
  count_all(report);
  return true;
}

bool judge_run(RunReport *report)
{
  if (!have_standings(report) || !list_unmatched(report)) return false;
  count_all(report);
  verdict_decide(report);
  return true;
}

void judge_free(RunReport *report)
{
  for (size_t i = 0; i < report->result_count; ++i) outcome_clear(&report->results[i].outcome);
  free(report->results);
  free(report->standings);
  free(report->unmatched);
  report->results = NULL;
  report->standings = NULL;
  report->unmatched = NULL;
  report->result_count = report->unmatched_count = 0;
}
