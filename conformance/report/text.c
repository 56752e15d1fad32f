// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "judge/skip_reasons.h"
#include "report/facts.h"
#include "report/report.h"
#include "report/text_cases.h"
#include "report/text_functions.h"
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
  if (report->sandbox) {
    char sandbox[SANDBOX_TEXT_MAX];
    sandbox_describe(report->sandbox, sandbox, sizeof sandbox);
    fprintf(out, "sandbox: %s\n", sandbox);
  }
  if (report->device) {
    fprintf(out, "%s: %s", report->device, report->device_found ? "" : "cases are skipped: ");
    text_print(out, style, report->device_text, strlen(report->device_text));
    fputc('\n', out);
  }
  fflush(out);
}

// --- What else there is -----------------------------------------------------------------------------

static bool shows_headers_do(const CaseResult *result, const char *what)
{
  return result->of_headers && strcmp(result->reason, what) == 0;
}

// Once for all functions: what the official headers do in every module.
static void write_of_headers(FILE *out, const TextStyle *style, const RunReport *report)
{
  if (!report->totals.of_headers) return;
  fputs("by the official C++ headers, whatever the module is:\n", out);
  for (size_t i = 0, told = 0; i < report->result_count && told < report->totals.of_headers; ++i) {
    const CaseResult *first = &report->results[i];
    size_t cases = 0;
    bool before = false;
    if (!first->of_headers) continue;
    for (size_t k = 0; k < i && !before; ++k)
      before = shows_headers_do(&report->results[k], first->reason);
    if (before) continue;
    for (size_t k = i; k < report->result_count; ++k)
      cases += shows_headers_do(&report->results[k], first->reason);
    told += cases;
    fprintf(out, "%6zu  %s  %s\n", cases, clause_get(first->instance->test->clauses[0])->id,
            first->reason);
    for (size_t k = i; style->verbosity > 0 && k < report->result_count; ++k)
      if (shows_headers_do(&report->results[k], first->reason))
        fprintf(out, "          %s\n", report->results[k].instance->id);
  }
  fputc('\n', out);
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

// Why cases did not apply, and which.
static void write_skips(FILE *out, const TextStyle *style, const RunReport *report)
{
  size_t count;
  SkipReason *reasons = skip_reasons(report, &count);
  if (count)
    fprintf(out, "%u not applicable:\n",
            report->totals.by_verdict[VERDICT_SKIP] - report->totals.of_headers);
  for (size_t i = 0; i < count; ++i) {
    const SkipReason *reason = &reasons[i];
    fprintf(out, "%6zu  ", reason->count);
    text_print(out, style, reason->text, strlen(reason->text));
    fputc('\n', out);
    for (size_t j = reason->first; j < report->result_count; ++j) {
      const CaseResult *result = &report->results[j];
      if (result->verdict == VERDICT_SKIP && !result->of_headers &&
          strcmp(result->reason, reason->text) == 0)
        fprintf(out, "          %s\n", result->instance->id);
    }
  }
  if (count) fputc('\n', out);
  free(reasons);
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
  write_count(out, totals->of_headers, "by the official headers");
  unsigned skipped = totals->by_verdict[VERDICT_SKIP] - totals->of_headers;
  if (skipped)
    fprintf(out, " %s %u not applicable (%u reason%s%s)", dot(style), skipped, totals->skip_reasons,
            totals->skip_reasons == 1 ? "" : "s", style->verbosity > 0 ? "" : "; see -v");
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

static void write_summary(FILE *out, const TextStyle *style, const RunReport *report)
{
  write_counts(out, style, report);
  write_clauses(out, style, report);
  text_origins(out, report);
  fputc('\n', out);
}

void report_text_results(FILE *out, const TextStyle *style, const RunReport *report)
{
  bool all = style->verbosity > 0 && !style->only_failed;
  bool brief = style->verbosity < 0 || style->only_failed;
  if (style->verbosity >= 0) {
    fputc('\n', out);
    write_summary(out, style, report);
  }
  if (all) {
    write_passes(out, style, report);
    write_skips(out, style, report);
  }
  text_failures(out, style, report);
  if (!brief) {
    text_warnings(out, style, report);
    write_of_headers(out, style, report);
    text_functions(out, style, report);
  }
  write_last_line(out, style, report);
  fflush(out);
}
