// SPDX-License-Identifier: Apache-2.0
// The JUnit report: a testsuite a chapter. What counts against the library is a failure, what gave
// no verdict an error; warnings and waived cases are skipped with a message, so that a build is red
// exactly when the exit code is.
//
// It is what both schemas that readers use accept, Ant's and that of Jenkins, and so has no more than
// either knows: no attributes of the root, a time without a zone, output of suites but not of cases.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/save.h"
#include "report/clean.h"
#include "report/facts.h"
#include "report/report.h"
#include "report/xml_build.h"

enum { OUTPUT_MAX = 64 * 1024 };

typedef struct Junit {
  XmlBuild build;
  unsigned suites;  // written so far
} Junit;

typedef enum Kind { KIND_PASS, KIND_FAILURE, KIND_ERROR, KIND_SKIPPED } Kind;

typedef struct Counts {
  unsigned tests, of[KIND_SKIPPED + 1];
  uint64_t duration_ns;
} Counts;

static Kind kind_of(const RunReport *report, const CaseResult *result)
{
  if (result->verdict == VERDICT_PASS) return KIND_PASS;
  if (!judge_counts_against(report, result)) return KIND_SKIPPED;
  return result->verdict == VERDICT_INCONCLUSIVE ? KIND_ERROR : KIND_FAILURE;
}

// --- Cases ---------------------------------------------------------------------------------------

static void describe_failures(FILE *out, const CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  size_t kept = facts_failures(outcome);
  for (size_t i = 0; i < kept; ++i) {
    const EvidenceFailure *failure = &outcome->evidence->failures[i];
    fprintf(out, "checked   %.*s\nexpected  %.*s\nactual    %.*s\n", (int)sizeof failure->what,
            failure->what, (int)sizeof failure->expected, failure->expected,
            (int)sizeof failure->seen, failure->seen);
    fprintf(out, "at        %.*s (%.*s)\n", (int)sizeof failure->note, failure->note,
            (int)sizeof failure->source, failure->source);
  }
}

static bool has_output(const CaseResult *result)
{
  return result->outcome.output && result->outcome.output[0];
}

// Clauses with their titles, and everything that was expected and seen.
static void write_details(Junit *junit, const CaseResult *result)
{
  char *details = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&details, &size);
  if (!out) {
    junit->build.failed = true;
    return;
  }
  const ClauseId *clauses = result->instance->clauses;
  for (int i = 0; i < CASE_CLAUSES_MAX && clauses[i] != CLAUSE_NONE; ++i) {
    const Clause *clause = clause_get(clauses[i]);
    fprintf(out, "%s %s: %s.\n", clause_level_name(clause->level), clause->id, clause->title);
  }
  if (result->reason[0]) fprintf(out, "%s\n", result->reason);
  describe_failures(out, result);
  const char *program;
  size_t program_size = facts_program(result, &program);
  if (program_size) fprintf(out, "the call as a C program\n%.*s", (int)program_size, program);
  if (has_output(result)) fprintf(out, "output\n%.*s", OUTPUT_MAX, result->outcome.output);
  if (fclose(out) != 0)
    junit->build.failed = true;
  else
    xml_text(&junit->build, details, size);
  free(details);
}

static void write_skipped(Junit *junit, const CaseResult *result, const char *headline)
{
  char *message = NULL;
  const char *why = result->verdict == VERDICT_XFAIL  ? "waived: "
                    : result->verdict == VERDICT_SKIP ? ""
                                                      : "warning: ";
  if (asprintf(&message, "%s%s", why,
               result->verdict == VERDICT_XFAIL ? result->waiver->reason : headline) < 0) {
    junit->build.failed = true;
    return;
  }
  xml_begin(&junit->build, "skipped");
  xml_attribute(&junit->build, "message", message);
  xml_end(&junit->build);
  free(message);
}

static void write_verdict(Junit *junit, const CaseResult *result, Kind kind)
{
  char *headline = facts_headline(result);
  junit->build.failed |= !headline;
  if (kind == KIND_SKIPPED) {
    write_skipped(junit, result, headline ? headline : "");
  } else {
    xml_begin(&junit->build, kind == KIND_ERROR ? "error" : "failure");
    xml_attribute(&junit->build, "message", headline);
    xml_attribute(&junit->build, "type",
                  result->fail_kind ? judge_fail_kind_name(result->fail_kind)
                                    : judge_verdict_name(result->verdict));
    write_details(junit, result);
    xml_end(&junit->build);
  }
  free(headline);
}

static void write_case(Junit *junit, const RunReport *report, const CaseResult *result)
{
  Kind kind = kind_of(report, result);
  xml_begin(&junit->build, "testcase");
  xml_attribute(&junit->build, "classname", result->instance->test->chapter);
  xml_attribute(&junit->build, "name", result->instance->id);
  xml_seconds(&junit->build, result->outcome.duration_ns);
  if (kind != KIND_PASS) write_verdict(junit, result, kind);
  xml_end(&junit->build);
}

// Those that did not apply to functions of a module, for one reason, as one.
static void write_group(Junit *junit, const FactsGroup *group)
{
  const CaseResult *first = group->results[0];
  char id[CASE_ID_MAX], name[CASE_ID_MAX + 40];
  snprintf(name, sizeof name, "%s (%zu function%s)", facts_case_id(first->instance, id),
           group->count, group->count == 1 ? "" : "s");
  xml_begin(&junit->build, "testcase");
  xml_attribute(&junit->build, "classname", first->instance->test->chapter);
  xml_attribute(&junit->build, "name", name);
  xml_seconds(&junit->build, 0);
  xml_begin(&junit->build, "skipped");
  xml_attribute(&junit->build, "message", first->reason);
  xml_end(&junit->build);
  xml_end(&junit->build);
}

// --- Suites --------------------------------------------------------------------------------------

static bool in_chapter(const CaseResult *result, const char *chapter)
{
  return strcmp(result->instance->test->chapter, chapter) == 0;
}

static bool is_skipped_group(const FactsGroup *group, const char *chapter)
{
  return group->results[0]->verdict == VERDICT_SKIP && in_chapter(group->results[0], chapter);
}

static bool is_listed(const CaseResult *result, const char *chapter)
{
  bool in_group = facts_is_grouped(result) && result->verdict == VERDICT_SKIP;
  return !in_group && in_chapter(result, chapter);
}

// Over one chapter.
static Counts count(const RunReport *report, const FactsGroups *groups, const char *chapter)
{
  Counts counts = {0};
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    if (in_chapter(result, chapter)) counts.duration_ns += result->outcome.duration_ns;
    if (!is_listed(result, chapter)) continue;
    ++counts.tests;
    ++counts.of[kind_of(report, result)];
  }
  for (size_t i = 0; i < groups->count; ++i) {
    if (!is_skipped_group(&groups->items[i], chapter)) continue;
    ++counts.tests;
    ++counts.of[KIND_SKIPPED];
  }
  return counts;
}

static void write_property(Junit *junit, const char *name, const char *value)
{
  xml_begin(&junit->build, "property");
  xml_attribute(&junit->build, "name", name);
  xml_attribute(&junit->build, "value", value);
  xml_end(&junit->build);
}

// What belongs to no case of its own: the library, and the verdict on it.
static void write_properties(Junit *junit, const RunReport *report)
{
  xml_begin(&junit->build, "properties");
  write_property(junit, "library", facts_base_name(report->library->path));
  if (report->library->sha256[0]) write_property(junit, "sha256", report->library->sha256);
  write_property(junit, "verdict", report->verdict.text);
  if (report->sandbox) {
    char sandbox[SANDBOX_TEXT_MAX];
    sandbox_describe(report->sandbox, sandbox, sizeof sandbox);
    write_property(junit, "sandbox", sandbox);
  }
  xml_end(&junit->build);
}

static void begin_suite(Junit *junit, const RunReport *report, const char *name,
                        const Counts *counts)
{
  char started_at[32];
  snprintf(started_at, sizeof started_at, "%.19s", report->started_at);
  xml_begin(&junit->build, "testsuite");
  xml_number(&junit->build, "id", junit->suites++);
  xml_attribute(&junit->build, "package", facts_base_name(report->library->path));
  xml_attribute(&junit->build, "name", name);
  xml_number(&junit->build, "tests", counts->tests);
  xml_number(&junit->build, "failures", counts->of[KIND_FAILURE]);
  xml_number(&junit->build, "errors", counts->of[KIND_ERROR]);
  xml_number(&junit->build, "skipped", counts->of[KIND_SKIPPED]);
  xml_seconds(&junit->build, counts->duration_ns);
  xml_attribute(&junit->build, "timestamp", started_at);
  xml_attribute(&junit->build, "hostname", "localhost");
  write_properties(junit, report);
}

// What cases that did not fail wrote, each under its id; failures have their own. No chapter: nothing.
static void end_suite(Junit *junit, const RunReport *report, const char *chapter)
{
  xml_begin(&junit->build, "system-out");
  for (size_t i = 0; chapter && i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    Kind kind = kind_of(report, result);
    if (!in_chapter(result, chapter) || !has_output(result)) continue;
    if (kind == KIND_FAILURE || kind == KIND_ERROR) continue;
    xml_text(&junit->build, result->instance->id, strlen(result->instance->id));
    xml_text(&junit->build, "\n", 1);
    xml_text(&junit->build, result->outcome.output, strnlen(result->outcome.output, OUTPUT_MAX));
    xml_text(&junit->build, "\n", 1);
  }
  xml_end(&junit->build);
  xml_begin(&junit->build, "system-err");
  xml_end(&junit->build);
  xml_end(&junit->build);
}

static void write_chapter(Junit *junit, const RunReport *report, const FactsGroups *groups,
                          const char *chapter)
{
  Counts counts = count(report, groups, chapter);
  begin_suite(junit, report, chapter, &counts);
  for (size_t i = 0; i < report->result_count; ++i)
    if (is_listed(&report->results[i], chapter)) write_case(junit, report, &report->results[i]);
  for (size_t i = 0; i < groups->count; ++i)
    if (is_skipped_group(&groups->items[i], chapter)) write_group(junit, &groups->items[i]);
  end_suite(junit, report, chapter);
}

// In the order in which they come up.
static void write_chapters(Junit *junit, const RunReport *report, const FactsGroups *groups)
{
  const char *written[CLAUSE_COUNT];
  size_t chapters = 0;
  for (size_t i = 0; i < report->result_count; ++i) {
    const char *chapter = report->results[i].instance->test->chapter;
    bool known = false;
    for (size_t k = chapters; k-- > 0 && !known;) known = strcmp(written[k], chapter) == 0;
    if (known || chapters >= CLAUSE_COUNT) continue;
    written[chapters++] = chapter;
    write_chapter(junit, report, groups, chapter);
  }
}

static void write_unmatched(Junit *junit, const RunReport *report)
{
  if (report->unmatched_count == 0) return;
  Counts counts = {.tests = (unsigned)report->unmatched_count};
  counts.of[KIND_FAILURE] = counts.tests;
  begin_suite(junit, report, "waivers", &counts);
  for (size_t i = 0; i < report->unmatched_count; ++i) {
    xml_begin(&junit->build, "testcase");
    xml_attribute(&junit->build, "classname", "waivers");
    xml_attribute(&junit->build, "name", report->unmatched[i]->case_id);
    xml_seconds(&junit->build, 0);
    xml_begin(&junit->build, "failure");
    xml_attribute(&junit->build, "message", "the waiver matches no case that was run");
    xml_attribute(&junit->build, "type", "waiver");
    xml_end(&junit->build);
    xml_end(&junit->build);
  }
  end_suite(junit, report, NULL);
}

// A run that comes to no verdict is red, though no case of it is.
static bool lacks_verdict(const RunReport *report)
{
  return report->verdict.standing >= STANDING_INCONCLUSIVE;
}

static void write_no_verdict(Junit *junit, const RunReport *report)
{
  if (!lacks_verdict(report)) return;
  Counts counts = {.tests = 1};
  counts.of[KIND_ERROR] = 1;
  begin_suite(junit, report, "verdict", &counts);
  xml_begin(&junit->build, "testcase");
  xml_attribute(&junit->build, "classname", "verdict");
  xml_attribute(&junit->build, "name", "verdict");
  xml_seconds(&junit->build, 0);
  xml_begin(&junit->build, "error");
  xml_attribute(&junit->build, "message", report->verdict.text);
  xml_attribute(&junit->build, "type", verdict_standing_name(report->verdict.standing));
  if (report->not_judged) xml_text(&junit->build, report->not_judged, strlen(report->not_judged));
  xml_end(&junit->build);
  xml_end(&junit->build);
  end_suite(junit, report, NULL);
}

static void write_document(Junit *junit, const RunReport *report, const FactsGroups *groups)
{
  xml_begin(&junit->build, "testsuites");
  write_chapters(junit, report, groups);
  write_unmatched(junit, report);
  write_no_verdict(junit, report);
  xml_end(&junit->build);
}

int report_junit(const RunReport *report, const char *path, char *error, size_t error_size)
{
  Junit junit = {.suites = 0};
  FactsGroups groups;
  xml_start(&junit.build);
  junit.build.failed |= !facts_group(report, &groups);
  write_document(&junit, report, &groups);
  facts_groups_free(&groups);
  return xml_save(&junit.build, "the JUnit report", path, error, error_size);
}
