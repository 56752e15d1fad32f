// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/facts.h"
#include "report/report.h"
#include "report/text_case.h"
#include "report/text_layout.h"

static const char *dot(const TextStyle *style)
{
  return style->utf8 ? "\u00b7" : "-";
}

// --- Head ----------------------------------------------------------------------------------------

static void write_sanitizers(FILE *out, unsigned sanitizers)
{
  const char *before = "   built with sanitizers: ";
  for (unsigned bit = 1; bit <= INSPECT_UNDEFINED_SANITIZER; bit <<= 1) {
    if (!(sanitizers & bit)) continue;
    fprintf(out, "%s%s", before, facts_sanitizer_name(bit));
    before = ", ";
  }
}

void report_text_head(FILE *out, const TextStyle *style, const RunReport *report)
{
  if (style->verbosity < 0) return;
  const InspectReport *library = report->library;
  const RunTotals *totals = &report->totals;
  const char *name = facts_base_name(library->path);
  char version[16];
  fputs(text_paint(style, PAINT_STRONG), out);
  text_print(out, style, name, strlen(name));
  fprintf(out, "%s   %s profile, ABI %s", text_paint(style, PAINT_NONE), report->profile,
          report->generation);
  if (facts_has_version(report))
    fprintf(out, " (reports %s)", abi_version_text(report->reported_version, version));
  if (library->profile == INSPECT_PROFILE_MODULE)
    fprintf(out, "   %u function%s", library->module_functions,
            library->module_functions == 1 ? "" : "s");
  else
    fprintf(out, "   %u of %u functions", facts_functions_present(report),
            facts_functions_known(report));
  unsigned skipped = totals->by_verdict[VERDICT_SKIP];
  fprintf(out, "   %u case%s", totals->cases - skipped, totals->cases - skipped == 1 ? "" : "s");
  if (skipped) fprintf(out, ", %u not applicable", skipped);
  fprintf(out, "   %u job%s", report->jobs, report->jobs == 1 ? "" : "s");
  write_sanitizers(out, library->sanitizers);
  fputc('\n', out);
  char why[160];
  verdict_scopes_why(report, why);
  if (report->selection && report->selection->scopes &&
      report->selection->scopes != CLAUSE_PROFILE_RUNTIME && why[0])
    fprintf(out, "scopes: %s\n", why);
  if (report->device) {
    fprintf(out, "%s: %s", report->device, report->device_found ? "" : "cases are skipped: ");
    text_print(out, style, report->device_text, strlen(report->device_text));
    fputc('\n', out);
  }
  fflush(out);
}

// --- Cases ---------------------------------------------------------------------------------------

static bool same_text(const char *left, const char *right)
{
  return left == right || (left && right && strcmp(left, right) == 0);
}

// Each case has a waiver of its own, even where all of them say the same. Those that passed are
// told apart: each is to be taken out.
static bool waived_alike(const CaseResult *left, const CaseResult *right)
{
  const Waiver *a = left->waiver, *b = right->waiver;
  if (a == b) return true;
  return a && b && left->verdict == VERDICT_XFAIL && same_text(a->reason, b->reason) &&
         same_text(a->url, b->url) && same_text(a->expires, b->expires);
}

// What is shown once: runs of one case that ended alike and, unless each is asked for, rows of one
// case.
static bool is_alike(const TextStyle *style, const RunReport *report, size_t left, size_t right)
{
  const CaseResult *a = &report->results[left], *b = &report->results[right];
  if (a->verdict != b->verdict || a->fail_kind != b->fail_kind) return false;
  if (a->instance == b->instance) return true;
  bool has_kin = a->instance->row || a->instance->kernel;
  return style->verbosity <= 0 && has_kin && a->instance->test == b->instance->test &&
         waived_alike(a, b) && strcmp(a->reason, b->reason) == 0;
}

static bool was_shown(const TextStyle *style, const RunReport *report, size_t index)
{
  for (size_t i = index; i-- > 0;)
    if (is_alike(style, report, i, index)) return true;
  return false;
}

static bool is_first_of_its_instance(const RunReport *report, size_t index)
{
  const CaseResult *result = &report->results[index];
  for (size_t i = 0; i < index; ++i)
    if (report->results[i].instance == result->instance &&
        report->results[i].verdict == result->verdict)
      return false;
  return true;
}

// How one row of a case is told from another, as its id has it: "of-two-words", "none@add_one",
// "@add_one".
static void put_row_name(FILE *out, const CaseInstance *instance)
{
  char base[CASE_ID_MAX];
  if (instance->kernel) {
    const char *name = instance->id + strlen(case_base_id(instance, base));
    fputs(name + (*name == '.'), out);
    return;
  }
  for (const char *c = *(const char *const *)instance->row; *c; ++c)
    fputc(*c == '_' ? '-' : *c, out);
}

// Names of the other rows that ended as this one did. Own; NULL if there are none.
static char *name_other_rows(const TextStyle *style, const RunReport *report, size_t index)
{
  enum { NAMES_MAX = 12 };
  char *names = NULL;
  size_t size = 0, count = 0;
  FILE *out = open_memstream(&names, &size);
  if (!out) return NULL;
  for (size_t i = index + 1; i < report->result_count; ++i) {
    const CaseInstance *other = report->results[i].instance;
    if (other == report->results[index].instance || !is_alike(style, report, index, i)) continue;
    if (!is_first_of_its_instance(report, i)) continue;
    if (count++ >= NAMES_MAX) continue;
    fputs(count > 1 ? ", " : "", out);
    put_row_name(out, other);
  }
  if (count > NAMES_MAX) fprintf(out, " and %zu more", count - NAMES_MAX);
  if (count) fputs(" (-v shows each)", out);
  if (fclose(out) == 0 && count) return names;
  free(names);
  return NULL;
}

static void show_case(FILE *out, const TextStyle *style, const RunReport *report, size_t index)
{
  const CaseResult *result = &report->results[index];
  if (was_shown(style, report, index)) return;
  TextKin kin = {.turns = 1, .all_turns = 1, .rows = name_other_rows(style, report, index)};
  if (report->selection && report->selection->repeat > 1) {
    kin.turns = kin.all_turns = 0;
    for (size_t i = 0; i < report->result_count; ++i) {
      if (report->results[i].instance != result->instance) continue;
      kin.turns += is_alike(style, report, index, i);
      ++kin.all_turns;
    }
  }
  text_case(out, style, report, result, &kin);
  free(kin.rows);
}

// In the order in which they are shown; the worst last, where the eye is.
typedef enum Section { SECTION_NONE, SECTION_WAIVED, SECTION_WARNED, SECTION_BAD } Section;

static Section section_of(const RunReport *report, const CaseResult *result)
{
  if (result->outcome.kind == OUTCOME_NOT_RUN) return SECTION_NONE;
  if (judge_counts_against(report, result)) return SECTION_BAD;
  switch (result->verdict) {
    case VERDICT_FAIL:
    case VERDICT_INCONCLUSIVE:
      return SECTION_WARNED;
    case VERDICT_XFAIL:
      return SECTION_WAIVED;
    default:
      return SECTION_NONE;
  }
}

static void write_cases(FILE *out, const TextStyle *style, const RunReport *report)
{
  for (int section = SECTION_WAIVED; section <= SECTION_BAD; ++section)
    for (size_t i = 0; i < report->result_count; ++i)
      if ((int)section_of(report, &report->results[i]) == section) show_case(out, style, report, i);
  for (size_t i = 0; i < report->unmatched_count; ++i) {
    static const char text[] =
        "the waiver matches no case that was run (the case does not apply to this library)";
    text_title(out, style, PAINT_BAD, "STALE", report->unmatched[i]->case_id, "");
    text_block(out, style, text, strlen(text));
    fputc('\n', out);
  }
}

static void write_passes(FILE *out, const TextStyle *style, const RunReport *report)
{
  char duration[32];
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    if (result->verdict != VERDICT_PASS) continue;
    snprintf(duration, sizeof duration, "%.1f ms", (double)result->outcome.duration_ns / 1e6);
    text_title(out, style, PAINT_GOOD, "pass", result->instance->id, duration);
  }
  if (report->totals.by_verdict[VERDICT_PASS]) fputc('\n', out);
}

// --- What did not apply --------------------------------------------------------------------------

static bool skipped_for(const CaseResult *result, const char *reason)
{
  return result->verdict == VERDICT_SKIP && strcmp(result->reason, reason) == 0;
}

static bool is_first_with_reason(const RunReport *report, size_t index)
{
  for (size_t i = 0; i < index; ++i)
    if (skipped_for(&report->results[i], report->results[index].reason)) return false;
  return true;
}

static void write_skips(FILE *out, const TextStyle *style, const RunReport *report)
{
  if (report->totals.by_verdict[VERDICT_SKIP] == 0) return;
  fprintf(out, "%u not applicable:\n", report->totals.by_verdict[VERDICT_SKIP]);
  for (size_t i = 0; i < report->result_count; ++i) {
    const char *reason = report->results[i].reason;
    if (report->results[i].verdict != VERDICT_SKIP || !is_first_with_reason(report, i)) continue;
    size_t count = 0;
    for (size_t j = i; j < report->result_count; ++j)
      count += skipped_for(&report->results[j], reason);
    fprintf(out, "%6zu  ", count);
    text_print(out, style, reason, strnlen(reason, sizeof report->results[i].reason));
    fputc('\n', out);
    for (size_t j = i; style->verbosity > 0 && j < report->result_count; ++j)
      if (skipped_for(&report->results[j], reason))
        fprintf(out, "          %s\n", report->results[j].instance->id);
  }
  fputc('\n', out);
}

// --- Summary -------------------------------------------------------------------------------------

static void write_count(FILE *out, unsigned count, const char *what)
{
  if (count) fprintf(out, ", %u %s", count, what);
}

// Why the run itself left cases out; NULL if it was ended from outside.
static const char *why_not_run(const RunReport *report)
{
  for (size_t i = 0; i < report->result_count; ++i) {
    const Outcome *outcome = &report->results[i].outcome;
    if (outcome->kind == OUTCOME_NOT_RUN && outcome->lost) return outcome->lost;
  }
  return NULL;
}

// Every case that was run, under exactly one name.
static void write_counts(FILE *out, const TextStyle *style, const RunReport *report)
{
  const RunTotals *totals = &report->totals;
  unsigned bad[FAIL_TIMEOUT + 1] = {0}, no_verdict = 0;
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    if (result->outcome.kind == OUTCOME_NOT_RUN || !judge_counts_against(report, result)) continue;
    if (result->verdict == VERDICT_FAIL) ++bad[result->fail_kind];
    no_verdict += result->verdict == VERDICT_INCONCLUSIVE;
  }
  char duration[32];
  fprintf(out, "%u run in %s: %u passed", totals->run, text_duration(report->duration_ns, duration),
          totals->by_verdict[VERDICT_PASS]);
  write_count(out, bad[FAIL_EXPECTATION], "failed");
  write_count(out, bad[FAIL_CRASH], "crashed");
  write_count(out, bad[FAIL_EXIT], "exited");
  write_count(out, bad[FAIL_TIMEOUT], "timed out");
  write_count(out, no_verdict, "inconclusive");
  write_count(out, totals->by_verdict[VERDICT_XPASS], "passed unexpectedly");
  write_count(out, totals->warnings, "warned");
  write_count(out, totals->by_verdict[VERDICT_XFAIL], "waived");
  unsigned skipped = totals->by_verdict[VERDICT_SKIP];
  if (skipped)
    fprintf(out, " %s %u not applicable (%u reason%s)", dot(style), skipped, totals->skip_reasons,
            totals->skip_reasons == 1 ? "" : "s");
  const char *why = why_not_run(report);
  if (totals->not_run) fprintf(out, " %s %u not run", dot(style), totals->not_run);
  if (why) fprintf(out, " (%s)", why);
  fputc('\n', out);
}

// A line for each scope that was judged, then how much of what applies was.
static void write_clauses(FILE *out, const TextStyle *style, const RunReport *report)
{
  const RunVerdict *verdict = &report->verdict;
  char line[160];
  for (size_t scope = 0; scope < VERDICT_SCOPES; ++scope) {
    verdict_scope_line(verdict, scope, dot(style), line);
    if (line[0]) fprintf(out, "%s\n", line);
  }
  fprintf(out, "judged %u of %u applicable MUST clauses", verdict->must.judged,
          verdict->must.applicable);
  if (report->unmatched_count)
    fprintf(out, " %s %zu unused waiver%s", dot(style), report->unmatched_count,
            report->unmatched_count == 1 ? "" : "s");
  fputc('\n', out);
  verdict_known_line(report, line);
  if (line[0]) fprintf(out, "%s\n", line);
}

static void write_last_line(FILE *out, const TextStyle *style, const RunReport *report)
{
  static const TextPaint paints[] = {
      [STANDING_CONFORMS] = PAINT_GOOD,        [STANDING_BROKEN_KNOWN] = PAINT_WARN,
      [STANDING_DOES_NOT_CONFORM] = PAINT_BAD, [STANDING_INCONCLUSIVE] = PAINT_WARN,
      [STANDING_NOT_JUDGED] = PAINT_BAD,
  };
  const RunVerdict *verdict = &report->verdict;
  const char *rest = verdict->text + strlen(verdict->head);
  fprintf(out, "%s%s%s", text_paint(style, paints[verdict->standing]), verdict->head,
          text_paint(style, PAINT_NONE));
  text_print(out, style, rest, strlen(rest));
  fputc('\n', out);
}

void report_text_results(FILE *out, const TextStyle *style, const RunReport *report)
{
  if (style->verbosity >= 0) {
    fputc('\n', out);
    if (style->verbosity > 0) write_passes(out, style, report);
    write_skips(out, style, report);
    write_cases(out, style, report);
  }
  write_counts(out, style, report);
  write_clauses(out, style, report);
  write_last_line(out, style, report);
  fflush(out);
}
