// SPDX-License-Identifier: Apache-2.0
// The TAP report, version 14. "not ok" without a directive is what counts against the library;
// warnings and waived cases are "not ok # TODO", which a harness takes as expected.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/save.h"
#include "report/clean.h"
#include "report/facts.h"
#include "report/report.h"

// Clean text, with the characters that mean something behind a test's number escaped.
static void write_description(FILE *out, const char *text)
{
  char *clean = clean_string(text, 0);
  for (const char *c = clean ? clean : ""; *c; ++c) {
    if (*c == '#' || *c == '\\') fputc('\\', out);
    fputc(*c, out);
  }
  free(clean);
}

// A YAML scalar in double quotes.
static void write_scalar(FILE *out, const char *key, const char *text, size_t size)
{
  char *clean = clean_text(text, size, 0);
  fprintf(out, "%s\"", key);
  for (const char *c = clean ? clean : ""; *c; ++c) {
    if (*c == '"' || *c == '\\') fputc('\\', out);
    fputc(*c, out);
  }
  fputs("\"\n", out);
  free(clean);
}

#define SCALAR(key, array) write_scalar(out, key, array, strnlen(array, sizeof(array)))

static void write_failures(FILE *out, const Outcome *outcome)
{
  size_t kept = facts_failures(outcome);
  if (kept) fputs("  evidence:\n", out);
  for (size_t i = 0; i < kept; ++i) {
    const EvidenceFailure *failure = &outcome->evidence->failures[i];
    SCALAR("    - what: ", failure->what);
    SCALAR("      expected: ", failure->expected);
    SCALAR("      actual: ", failure->seen);
    SCALAR("      note: ", failure->note);
    SCALAR("      source: ", failure->source);
  }
}

// As a block of lines, each behind four spaces.
static void write_program(FILE *out, const CaseResult *result)
{
  const char *program;
  size_t size = facts_program(result, &program);
  char *clean = size ? clean_text(program, size, CLEAN_LINES) : NULL;
  if (clean) fputs("  program: |\n", out);
  for (const char *line = clean; line && *line;) {
    size_t length = strcspn(line, "\n");
    fprintf(out, "    %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
  free(clean);
}

static void write_diagnostics(FILE *out, const CaseResult *result)
{
  fprintf(out, "  ---\n  verdict: %s\n  level: %s\n  clauses: [",
          judge_verdict_name(result->verdict), clause_level_name(result->instance->level));
  const ClauseId *clauses = result->instance->clauses;
  for (int i = 0; i < CASE_CLAUSES_MAX && clauses[i] != CLAUSE_NONE; ++i)
    fprintf(out, "%s%s", i ? ", " : "", clause_get(clauses[i])->id);
  fputs("]\n", out);
  char *headline = facts_headline(result);
  if (headline) write_scalar(out, "  message: ", headline, strlen(headline));
  free(headline);
  fprintf(out, "  duration_ms: %.3f\n", (double)result->outcome.duration_ns / 1e6);
  write_failures(out, &result->outcome);
  write_program(out, result);
  fputs("  ...\n", out);
}

static void write_case(FILE *out, const RunReport *report, const CaseResult *result, size_t index)
{
  bool counts = judge_counts_against(report, result);
  bool good = result->verdict == VERDICT_PASS || result->verdict == VERDICT_SKIP;
  fprintf(out, "%s %zu - ", good ? "ok" : "not ok", index);
  write_description(out, result->instance->id);
  if (result->verdict == VERDICT_SKIP) {
    fputs(" # SKIP ", out);
    write_description(out, result->reason);
  } else if (result->verdict == VERDICT_XFAIL) {
    fputs(" # TODO waived: ", out);
    write_description(out, result->waiver->reason);
  } else if (!good && !counts) {
    fprintf(out, " # TODO warning, level %s", clause_level_name(result->instance->level));
  }
  fputc('\n', out);
  if (!good) write_diagnostics(out, result);
}

// Those that did not apply to functions of a module, for one reason, in one line.
static void write_group(FILE *out, const FactsGroup *group, size_t index)
{
  char id[CASE_ID_MAX];
  fprintf(out, "ok %zu - ", index);
  write_description(out, facts_case_id(group->results[0]->instance, id));
  fprintf(out, " (%zu function%s) # SKIP ", group->count, group->count == 1 ? "" : "s");
  write_description(out, group->results[0]->reason);
  fputc('\n', out);
}

static bool is_listed(const CaseResult *result)
{
  return !facts_is_grouped(result) || result->verdict != VERDICT_SKIP;
}

static void write_document(FILE *out, const RunReport *report)
{
  size_t number = 0;
  // A run that comes to no verdict is red, though no case of it is.
  bool lacks_verdict = report->verdict.standing >= STANDING_INCONCLUSIVE;
  FactsGroups groups;
  if (!facts_group(report, &groups)) groups.count = 0;
  size_t planned = report->unmatched_count + lacks_verdict;
  for (size_t i = 0; i < report->result_count; ++i) planned += is_listed(&report->results[i]);
  for (size_t i = 0; i < groups.count; ++i)
    planned += groups.items[i].results[0]->verdict == VERDICT_SKIP;
  fprintf(out, "TAP version 14\n1..%zu\n", planned);
  for (size_t i = 0; i < report->result_count; ++i)
    if (is_listed(&report->results[i])) write_case(out, report, &report->results[i], ++number);
  for (size_t i = 0; i < groups.count; ++i)
    if (groups.items[i].results[0]->verdict == VERDICT_SKIP)
      write_group(out, &groups.items[i], ++number);
  facts_groups_free(&groups);
  for (size_t i = 0; i < report->unmatched_count; ++i) {
    fprintf(out, "not ok %zu - waiver of ", ++number);
    write_description(out, report->unmatched[i]->case_id);
    fputs(" matches a case that was run\n", out);
  }
  if (lacks_verdict) {
    fprintf(out, "not ok %zu - ", ++number);
    write_description(out, report->verdict.text);
    fputc('\n', out);
    if (report->not_judged) {
      fputs("  ---\n", out);
      write_scalar(out, "  message: ", report->not_judged, strlen(report->not_judged));
      fputs("  ...\n", out);
    }
  }
  if (report->sandbox) {
    char sandbox[SANDBOX_TEXT_MAX];
    sandbox_describe(report->sandbox, sandbox, sizeof sandbox);
    fprintf(out, "# sandbox: %s\n", sandbox);
  }
  if (!report->complete) fputs("Bail out! The run is incomplete\n", out);
}

int report_tap(const RunReport *report, const char *path, char *error, size_t error_size)
{
  char *text = NULL;
  size_t size = 0;
  int status = -1;
  FILE *out = open_memstream(&text, &size);
  bool good = out != NULL;
  if (out) {
    write_document(out, report);
    good = !ferror(out);
    good &= fclose(out) == 0;
  }
  if (good)
    status = save_file(path, "the TAP report", text, size, error, error_size);
  else
    snprintf(error, error_size, "cannot write the TAP report: %s: out of memory", path);
  free(text);
  return status;
}
