// SPDX-License-Identifier: Apache-2.0
#include "judge/verdict.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "judge/judge.h"

const unsigned verdict_scopes[VERDICT_SCOPES] = {CLAUSE_SCOPE_CORE, CLAUSE_SCOPE_FRONTEND,
                                                 CLAUSE_SCOPE_HEADERS, CLAUSE_SCOPE_MODULE};

const char *verdict_standing_name(RunStanding standing)
{
  static const char *const names[] = {
      [STANDING_CONFORMS] = "conforms",
      [STANDING_BROKEN_KNOWN] = "broken_known",
      [STANDING_DOES_NOT_CONFORM] = "does_not_conform",
      [STANDING_INCONCLUSIVE] = "inconclusive",
      [STANDING_NOT_JUDGED] = "not_judged",
  };
  return names[standing];
}

// Whether a runtime is judged by a part of the scopes.
static bool is_narrowed(const RunReport *report)
{
  unsigned scopes = report->selection ? report->selection->scopes : 0;
  return report->library->profile == INSPECT_PROFILE_RUNTIME && scopes &&
         scopes != CLAUSE_PROFILE_RUNTIME;
}

// "core, frontend", behind `before`.
static void list_scopes(const char *before, unsigned scopes, char text[40])
{
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < VERDICT_SCOPES; ++i) {
    if (!(scopes & verdict_scopes[i])) continue;
    used += (size_t)snprintf(text + used, 40 - used, "%s%s", used ? ", " : before,
                             clause_scope_name(verdict_scopes[i]));
  }
}

void verdict_target(const RunReport *report, char text[96])
{
  char version[16];
  // There is no ABI of a version that is none of the 0.1 series, whatever the library says.
  bool known = report->reported_version != 0 && report->reported_version < ABI_VERSION(0, 2, 0);
  char scopes[40] = "";
  if (is_narrowed(report)) list_scopes(": ", report->selection->scopes, scopes);
  snprintf(text, 96, "TVM FFI ABI %.20s (%.10s%s)",
           known ? abi_version_text(report->reported_version, version) : report->generation,
           report->profile, scopes);
}

void verdict_scopes_why(const RunReport *report, char text[160])
{
  const Selection *selection = report->selection;
  unsigned judged = selection && selection->scopes ? selection->scopes : CLAUSE_PROFILE_RUNTIME;
  bool found = selection && selection->scopes_found;
  bool frontend = judged & CLAUSE_SCOPE_FRONTEND, headers = judged & CLAUSE_SCOPE_HEADERS;
  char scopes[40];
  text[0] = '\0';
  if (report->library->profile != INSPECT_PROFILE_RUNTIME) return;
  list_scopes("", judged, scopes);
  if (!found)
    snprintf(text, 160, "%s: %s", scopes,
             selection && selection->scopes ? "selected by --scope" : "all are judged");
  else if (!is_narrowed(report))
    snprintf(text, 160, "%s: the library shows signs of all", scopes);
  else
    snprintf(text, 160, "%s: the library %s%s%s", scopes,
             frontend ? "" : "registers none of the functions that language packages call",
             !frontend && !headers ? ", and " : "",
             headers ? "" : "knows none of the types of containers");
}

// --- How much was judged -------------------------------------------------------------------------

// Sets `applies[id]` for each clause that a result is about.
static void find_applicable(const RunReport *report, bool applies[CLAUSE_COUNT])
{
  for (size_t i = 0; i < report->result_count; ++i) {
    const ClauseId *clauses = report->results[i].instance->clauses;
    for (int c = 0; c < CASE_CLAUSES_MAX && clauses[c] != CLAUSE_NONE; ++c)
      applies[clauses[c]] |= !report->results[i].not_applicable;
  }
}

static void add(ClauseCounts *counts, ClauseStanding standing)
{
  ++counts->applicable;
  counts->judged += standing != CLAUSE_NOT_JUDGED;
  counts->holds += standing == CLAUSE_HOLDS;
}

// The one that a clause of these scopes is counted in, for the profile of the library.
static size_t scope_of(const RunReport *report, unsigned scopes)
{
  bool module = report->library->profile == INSPECT_PROFILE_MODULE;
  scopes &= module ? CLAUSE_PROFILE_MODULE : CLAUSE_PROFILE_RUNTIME;
  size_t scope = 0;
  while (scope < VERDICT_SCOPES && !(scopes & verdict_scopes[scope])) ++scope;
  return scope;
}

static void count_clauses(const RunReport *report, RunVerdict *verdict)
{
  bool applies[CLAUSE_COUNT] = {false};
  find_applicable(report, applies);
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id) {
    const Clause *clause = clause_get((ClauseId)id);
    size_t scope = scope_of(report, clause->scopes);
    if (!applies[id] || clause->level == CLAUSE_UNSPECIFIED || scope == VERDICT_SCOPES) continue;
    add(&verdict->counts[scope][clause->level], report->standings[id]);
    if (clause->level == CLAUSE_MUST) add(&verdict->must, report->standings[id]);
  }
  verdict->percent =
      verdict->must.applicable ? verdict->must.judged * 100 / verdict->must.applicable : 100;
}

bool verdict_has_scope(const RunVerdict *verdict, size_t scope)
{
  for (int level = 0; level < VERDICT_LEVELS; ++level)
    if (verdict->counts[scope][level].applicable) return true;
  return false;
}

void verdict_scope_line(const RunVerdict *verdict, size_t scope, const char *dot, char text[160])
{
  size_t used = 0;
  text[0] = '\0';
  for (int level = 0; level < VERDICT_LEVELS; ++level) {
    const ClauseCounts *counts = &verdict->counts[scope][level];
    if (!counts->judged) continue;
    int length = used ? snprintf(text + used, 160 - used, " %s ", dot)
                      : snprintf(text, 160, "%s ", clause_scope_name(verdict_scopes[scope]));
    used += (size_t)length;
    used += (size_t)snprintf(text + used, 160 - used, "%u of %u %s", counts->holds, counts->judged,
                             clause_level_name((ClauseLevel)level));
  }
}

// --- Known deviations ----------------------------------------------------------------------------

static unsigned count_known(const RunReport *report)
{
  unsigned known = 0;
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    bool failed = result->verdict == VERDICT_FAIL || result->verdict == VERDICT_XFAIL;
    known += failed && waivers_find(report->known_deviations, result->instance->id,
                                    report->reported_version) != NULL;
  }
  return known;
}

void verdict_known_line(const RunReport *report, char text[160])
{
  text[0] = '\0';
  if (!report->known_release || !report->verdict.known) return;
  snprintf(text, 160, "known deviations of %.40s: %u%s", report->known_release,
           report->verdict.known, report->waivers ? "" : " (use --waivers official)");
}

// --- Why -----------------------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static void note(RunVerdict *verdict, const char *format, ...)
{
  if (verdict->reason_count == VERDICT_REASONS_MAX) return;
  char *reason = verdict->reasons[verdict->reason_count++];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof verdict->reasons[0], format, arguments);
  va_end(arguments);
}

static void note_cases(RunVerdict *verdict, unsigned count, const char *what)
{
  if (count) note(verdict, "%u case%s %s", count, count == 1 ? "" : "s", what);
}

typedef struct Against {
  unsigned failed, crashed, exited, timed_out, no_verdict, not_run, passed;
  unsigned
      untold;  // of those without a verdict: the case itself said that it can't tell, or had no time left
} Against;

static bool is_untold(const CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  const bool said = outcome->kind == OUTCOME_SEALED && outcome->end == EVIDENCE_INCONCLUSIVE;
  const bool slow = outcome->kind == OUTCOME_TIMED_OUT && outcome->calls > 0;
  return result->verdict == VERDICT_INCONCLUSIVE && (said || slow);
}

static void count_fail(Against *against, FailKind kind)
{
  against->failed += kind == FAIL_EXPECTATION;
  against->crashed += kind == FAIL_CRASH;
  against->exited += kind == FAIL_EXIT;
  against->timed_out += kind == FAIL_TIMEOUT;
}

// What counts against the library. A case whose turn did not come says nothing of it if the run was
// ended from outside, but is the library's doing if the time for what it left running was used up.
static Against count_against(const RunReport *report)
{
  Against against = {0};
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    bool ran = result->outcome.kind != OUTCOME_NOT_RUN;
    if (!judge_counts_against(report, result) ||
        (!ran && !report->complete && !result->outcome.lost))
      continue;
    if (result->verdict == VERDICT_FAIL) count_fail(&against, result->fail_kind);
    against.no_verdict += ran && result->verdict == VERDICT_INCONCLUSIVE;
    against.untold += is_untold(result);
    against.not_run += !ran;
    against.passed += result->verdict == VERDICT_XPASS;
  }
  return against;
}

// Whether anything does, or nothing but cases that could not tell: STANDING_CONFORMS if neither.
static RunStanding note_against(const RunReport *report, RunVerdict *verdict)
{
  Against against = count_against(report);
  note_cases(verdict, against.failed, "failed");
  note_cases(verdict, against.crashed, "crashed");
  note_cases(verdict, against.exited, "ended the process");
  note_cases(verdict, against.timed_out, "timed out");
  note_cases(verdict, against.no_verdict, "gave no verdict");
  note_cases(verdict, against.not_run, "did not run");
  note_cases(verdict, against.passed, "passed although waived");
  if (report->unmatched_count)
    note(verdict, "%zu waiver%s unused", report->unmatched_count,
         report->unmatched_count == 1 ? " is" : "s are");
  bool only_untold =
      against.untold && against.untold == against.no_verdict && verdict->reason_count == 1;
  if (only_untold) return STANDING_INCONCLUSIVE;
  return verdict->reason_count > 0 ? STANDING_DOES_NOT_CONFORM : STANDING_CONFORMS;
}

// Whether too little was judged to say anything good of the library.
static bool note_coverage(const RunReport *report, RunVerdict *verdict)
{
  const ClauseCounts *must = &verdict->must;
  if (report->interrupted)
    note(verdict, "the run was interrupted");
  else if (!report->complete)
    note(verdict, "the run is incomplete");
  else if (report->totals.run == 0)
    note(verdict, "no case was run");
  else if (verdict->percent < report->min_judged)
    note(verdict,
         "%u of %u applicable MUST clauses could be judged, less than %u %% (--min-judged)",
         must->judged, must->applicable, report->min_judged);
  return verdict->reason_count > 0;
}

// --- The verdict ---------------------------------------------------------------------------------

static RunStanding stand(const RunReport *report, RunVerdict *verdict)
{
  unsigned waived = report->totals.by_verdict[VERDICT_XFAIL];
  if (report->not_judged) {
    note(verdict, "%s", report->not_judged);
    return STANDING_NOT_JUDGED;
  }
  RunStanding against = note_against(report, verdict);
  if (against != STANDING_CONFORMS) return against;
  if (note_coverage(report, verdict)) return STANDING_INCONCLUSIVE;
  note_cases(verdict, waived, "failed as waivers expect");
  return waived ? STANDING_BROKEN_KNOWN : STANDING_CONFORMS;
}

static int exit_code_of(const RunReport *report, RunStanding standing)
{
  static const int codes[] = {
      [STANDING_CONFORMS] = EXIT_CONFORMS,
      [STANDING_BROKEN_KNOWN] = EXIT_CONFORMS,
      [STANDING_DOES_NOT_CONFORM] = EXIT_DOES_NOT_CONFORM,
      [STANDING_INCONCLUSIVE] = EXIT_INCONCLUSIVE,
      [STANDING_NOT_JUDGED] = EXIT_CANNOT_LOAD,
  };
  return report->interrupted ? EXIT_INTERRUPTED : codes[standing];
}

static bool is_partial(const Selection *selection)
{
  return selection && (selection->filter_count || selection->exclude_count ||
                       selection->shards > 1 || selection->level < CLAUSE_HARDENING);
}

const char *verdict_standing_head(RunStanding standing)
{
  static const char *const heads[] = {
      [STANDING_CONFORMS] = "CONFORMS",
      [STANDING_BROKEN_KNOWN] = "BROKEN, KNOWN",
      [STANDING_DOES_NOT_CONFORM] = "NOT CONFORMANT",
      [STANDING_INCONCLUSIVE] = "INCONCLUSIVE",
      [STANDING_NOT_JUDGED] = "NOT JUDGED",
  };
  return heads[standing];
}

static void write_text(const RunReport *report, RunVerdict *verdict)
{
  static const char *const links[] = {
      [STANDING_CONFORMS] = "to",         [STANDING_BROKEN_KNOWN] = "but otherwise conforms to",
      [STANDING_DOES_NOT_CONFORM] = "to", [STANDING_INCONCLUSIVE] = "on",
      [STANDING_NOT_JUDGED] = "by",
  };
  char what[96];
  verdict_target(report, what);
  bool good = verdict->standing <= STANDING_BROKEN_KNOWN;
  const char *why = verdict->reason_count && verdict->standing != STANDING_DOES_NOT_CONFORM
                        ? verdict->reasons[0]
                        : "";
  snprintf(verdict->head, sizeof verdict->head, "%s", verdict_standing_head(verdict->standing));
  snprintf(verdict->text, sizeof verdict->text, "%s %s %s%s%s%s", verdict->head,
           links[verdict->standing], what, *why ? ": " : "", why,
           good && is_partial(report->selection) ? ", partial run" : "");
}

void verdict_decide(RunReport *report)
{
  RunVerdict *verdict = &report->verdict;
  memset(verdict, 0, sizeof *verdict);
  count_clauses(report, verdict);
  verdict->known = count_known(report);
  verdict_scopes_why(report, verdict->scopes_why);
  verdict->standing = stand(report, verdict);
  verdict->exit_code = exit_code_of(report, verdict->standing);
  write_text(report, verdict);
}
