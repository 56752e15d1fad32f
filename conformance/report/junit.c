// SPDX-License-Identifier: Apache-2.0
// The JUnit report: a testsuite a chapter. What counts against the library is a failure, what gave
// no verdict an error; warnings and waived cases are skipped with a message, so that a build is red
// exactly when the exit code is.
//
// It is what both schemas that readers use accept, Ant's and that of Jenkins, and so has no more than
// either knows: no attributes of the root, a time without a zone, output of suites but not of cases.
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/save.h"
#include "report/clean.h"
#include "report/facts.h"
#include "report/report.h"

enum { OUTPUT_MAX = 64 * 1024 };

// The writer, and whether any of its calls has failed.
typedef struct Junit {
  xmlTextWriter *xml;
  bool failed;
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

// --- XML -----------------------------------------------------------------------------------------

static void begin(Junit *junit, const char *name)
{
  junit->failed |= xmlTextWriterStartElement(junit->xml, BAD_CAST name) < 0;
}

static void end(Junit *junit)
{
  junit->failed |= xmlTextWriterEndElement(junit->xml) < 0;
}

static void attribute(Junit *junit, const char *name, const char *value)
{
  char *clean = clean_string(value, 0);
  junit->failed |=
      !clean || xmlTextWriterWriteAttribute(junit->xml, BAD_CAST name, BAD_CAST clean) < 0;
  free(clean);
}

static void number(Junit *junit, const char *name, unsigned value)
{
  junit->failed |= xmlTextWriterWriteFormatAttribute(junit->xml, BAD_CAST name, "%u", value) < 0;
}

static void seconds(Junit *junit, uint64_t ns)
{
  junit->failed |=
      xmlTextWriterWriteFormatAttribute(junit->xml, BAD_CAST "time", "%.3f", (double)ns / 1e9) < 0;
}

static void text(Junit *junit, const char *bytes, size_t size)
{
  char *clean = clean_text(bytes, size, CLEAN_LINES);
  junit->failed |= !clean || xmlTextWriterWriteString(junit->xml, BAD_CAST clean) < 0;
  free(clean);
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
    junit->failed = true;
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
    junit->failed = true;
  else
    text(junit, details, size);
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
    junit->failed = true;
    return;
  }
  begin(junit, "skipped");
  attribute(junit, "message", message);
  end(junit);
  free(message);
}

static void write_verdict(Junit *junit, const CaseResult *result, Kind kind)
{
  char *headline = facts_headline(result);
  junit->failed |= !headline;
  if (kind == KIND_SKIPPED) {
    write_skipped(junit, result, headline ? headline : "");
  } else {
    begin(junit, kind == KIND_ERROR ? "error" : "failure");
    attribute(junit, "message", headline);
    attribute(junit, "type",
              result->fail_kind ? judge_fail_kind_name(result->fail_kind)
                                : judge_verdict_name(result->verdict));
    write_details(junit, result);
    end(junit);
  }
  free(headline);
}

static void write_case(Junit *junit, const RunReport *report, const CaseResult *result)
{
  Kind kind = kind_of(report, result);
  begin(junit, "testcase");
  attribute(junit, "classname", result->instance->test->chapter);
  attribute(junit, "name", result->instance->id);
  seconds(junit, result->outcome.duration_ns);
  if (kind != KIND_PASS) write_verdict(junit, result, kind);
  end(junit);
}

// Those that did not apply to functions of a module, for one reason, as one.
static void write_group(Junit *junit, const FactsGroup *group)
{
  const CaseResult *first = group->results[0];
  char id[CASE_ID_MAX], name[CASE_ID_MAX + 40];
  snprintf(name, sizeof name, "%s (%zu function%s)", facts_case_id(first->instance, id),
           group->count, group->count == 1 ? "" : "s");
  begin(junit, "testcase");
  attribute(junit, "classname", first->instance->test->chapter);
  attribute(junit, "name", name);
  seconds(junit, 0);
  begin(junit, "skipped");
  attribute(junit, "message", first->reason);
  end(junit);
  end(junit);
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
  begin(junit, "property");
  attribute(junit, "name", name);
  attribute(junit, "value", value);
  end(junit);
}

// What belongs to no case of its own: the library, and the verdict on it.
static void write_properties(Junit *junit, const RunReport *report)
{
  begin(junit, "properties");
  write_property(junit, "library", facts_base_name(report->library->path));
  if (report->library->sha256[0]) write_property(junit, "sha256", report->library->sha256);
  write_property(junit, "verdict", report->verdict.text);
  if (report->sandbox) {
    char sandbox[SANDBOX_TEXT_MAX];
    sandbox_describe(report->sandbox, sandbox, sizeof sandbox);
    write_property(junit, "sandbox", sandbox);
  }
  end(junit);
}

static void begin_suite(Junit *junit, const RunReport *report, const char *name,
                        const Counts *counts)
{
  char started_at[32];
  snprintf(started_at, sizeof started_at, "%.19s", report->started_at);
  begin(junit, "testsuite");
  number(junit, "id", junit->suites++);
  attribute(junit, "package", facts_base_name(report->library->path));
  attribute(junit, "name", name);
  number(junit, "tests", counts->tests);
  number(junit, "failures", counts->of[KIND_FAILURE]);
  number(junit, "errors", counts->of[KIND_ERROR]);
  number(junit, "skipped", counts->of[KIND_SKIPPED]);
  seconds(junit, counts->duration_ns);
  attribute(junit, "timestamp", started_at);
  attribute(junit, "hostname", "localhost");
  write_properties(junit, report);
}

// What cases that did not fail wrote, each under its id; failures have their own. No chapter: nothing.
static void end_suite(Junit *junit, const RunReport *report, const char *chapter)
{
  begin(junit, "system-out");
  for (size_t i = 0; chapter && i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    Kind kind = kind_of(report, result);
    if (!in_chapter(result, chapter) || !has_output(result)) continue;
    if (kind == KIND_FAILURE || kind == KIND_ERROR) continue;
    text(junit, result->instance->id, strlen(result->instance->id));
    text(junit, "\n", 1);
    text(junit, result->outcome.output, strnlen(result->outcome.output, OUTPUT_MAX));
    text(junit, "\n", 1);
  }
  end(junit);
  begin(junit, "system-err");
  end(junit);
  end(junit);
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
    begin(junit, "testcase");
    attribute(junit, "classname", "waivers");
    attribute(junit, "name", report->unmatched[i]->case_id);
    seconds(junit, 0);
    begin(junit, "failure");
    attribute(junit, "message", "the waiver matches no case that was run");
    attribute(junit, "type", "waiver");
    end(junit);
    end(junit);
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
  begin(junit, "testcase");
  attribute(junit, "classname", "verdict");
  attribute(junit, "name", "verdict");
  seconds(junit, 0);
  begin(junit, "error");
  attribute(junit, "message", report->verdict.text);
  attribute(junit, "type", verdict_standing_name(report->verdict.standing));
  if (report->not_judged) text(junit, report->not_judged, strlen(report->not_judged));
  end(junit);
  end(junit);
  end_suite(junit, report, NULL);
}

static void write_document(Junit *junit, const RunReport *report, const FactsGroups *groups)
{
  junit->failed |= xmlTextWriterSetIndent(junit->xml, 1) < 0;
  junit->failed |= xmlTextWriterStartDocument(junit->xml, NULL, "UTF-8", NULL) < 0;
  begin(junit, "testsuites");
  write_chapters(junit, report, groups);
  write_unmatched(junit, report);
  write_no_verdict(junit, report);
  end(junit);
  junit->failed |= xmlTextWriterEndDocument(junit->xml) < 0;
}

int report_junit(const RunReport *report, const char *path, char *error, size_t error_size)
{
  int status = -1;
  xmlBuffer *buffer = xmlBufferCreate();
  Junit junit = {.xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL};
  FactsGroups groups;
  junit.failed = !facts_group(report, &groups);
  if (junit.xml) {
    write_document(&junit, report, &groups);
    xmlFreeTextWriter(junit.xml);
  }
  facts_groups_free(&groups);
  if (!junit.xml || junit.failed)
    snprintf(error, error_size, "cannot write the JUnit report: %s: out of memory", path);
  else
    status = save_file(path, "the JUnit report", xmlBufferContent(buffer),
                       (size_t)xmlBufferLength(buffer), error, error_size);
  xmlBufferFree(buffer);
  return status;
}
