// SPDX-License-Identifier: Apache-2.0
// The report of a trace as JUnit: a testsuite for each group of checks, and in it a testcase for each
// clause that was looked at. Errors are failures; a clause with advice alone is skipped.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clause.h"
#include "report/xml_build.h"
#include "trace/trace.h"

enum { CLAUSES_MAX = CHECK_COUNT };

typedef struct Row {
  ClauseId clause;
  size_t errors, advice;  // findings
} Row;

typedef struct Suite {
  const char *group;
  Row rows[CLAUSES_MAX];
  size_t count, failures, skipped;
} Suite;

static Row *row_of(Suite *suite, ClauseId clause)
{
  for (size_t i = 0; i < suite->count; ++i)
    if (suite->rows[i].clause == clause) return &suite->rows[i];
  suite->rows[suite->count] = (Row){.clause = clause};
  return &suite->rows[suite->count++];
}

static bool is_of(const Check *check, const Suite *suite, ClauseId clause)
{
  return strcmp(check->group, suite->group) == 0 && check->clause == clause;
}

static void collect(const Trace *trace, Suite *suite)
{
  for (size_t i = 0; i < CHECK_COUNT; ++i)
    if (trace->enabled[i] && strcmp(checks[i].group, suite->group) == 0)
      row_of(suite, checks[i].clause);
  for (size_t i = 0; i < trace->finding_count; ++i) {
    const Check *check = &checks[trace->findings[i].check];
    if (strcmp(check->group, suite->group) != 0) continue;
    Row *row = row_of(suite, check->clause);
    bool fails = !check->advice && !trace->findings[i].waived;
    ++*(fails ? &row->errors : &row->advice);
  }
  for (size_t i = 0; i < suite->count; ++i) {
    suite->failures += suite->rows[i].errors > 0;
    suite->skipped += suite->rows[i].errors == 0 && suite->rows[i].advice > 0;
  }
}

// The findings of the clause, as the text has them.
static void write_findings(XmlBuild *build, const Trace *trace, const Suite *suite, ClauseId clause)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; out && i < trace->finding_count; ++i)
    if (is_of(&checks[trace->findings[i].check], suite, clause))
      trace_write_finding(out, &trace->findings[i]);
  if (out && fclose(out) == 0)
    xml_text(build, text, size);
  else
    build->failed = true;
  free(text);
}

static void write_row(XmlBuild *build, const Trace *trace, const Suite *suite, const Row *row)
{
  const Clause *clause = clause_get(row->clause);
  char name[256], told[64];
  snprintf(name, sizeof name, "%s %s", clause->id, clause->title);
  snprintf(told, sizeof told, "%zu errors, %zu advice or waived", row->errors, row->advice);
  xml_begin(build, "testcase");
  xml_attribute(build, "classname", suite->group);
  xml_attribute(build, "name", name);
  xml_seconds(build, 0);
  if (row->errors + row->advice > 0) {
    xml_begin(build, row->errors ? "failure" : "skipped");
    xml_attribute(build, "message", told);
    if (row->errors) xml_attribute(build, "type", clause_level_name(clause->level));
    if (row->errors) write_findings(build, trace, suite, row->clause);
    xml_end(build);
  }
  xml_end(build);
}

static void write_suite(XmlBuild *build, const Trace *trace, const char *group, unsigned number)
{
  Suite suite = {.group = group};
  collect(trace, &suite);
  if (suite.count == 0) return;
  xml_begin(build, "testsuite");
  xml_number(build, "id", number);
  xml_attribute(build, "package", "tvmffi-conform.trace");
  xml_attribute(build, "name", group);
  xml_number(build, "tests", (unsigned)suite.count);
  xml_number(build, "failures", (unsigned)suite.failures);
  xml_number(build, "errors", 0);
  xml_number(build, "skipped", (unsigned)suite.skipped);
  xml_seconds(build, 0);
  for (size_t i = 0; i < suite.count; ++i) write_row(build, trace, &suite, &suite.rows[i]);
  xml_end(build);
}

int trace_save_junit(const Trace *trace, const char *path, char *error, size_t error_size)
{
  XmlBuild build;
  unsigned number = 0;
  xml_start(&build);
  xml_begin(&build, "testsuites");
  for (size_t i = 0; i < CHECK_COUNT; ++i) {
    bool is_first = true;
    for (size_t other = 0; other < i; ++other)
      is_first = is_first && strcmp(checks[other].group, checks[i].group) != 0;
    if (is_first) write_suite(&build, trace, checks[i].group, number++);
  }
  xml_end(&build);
  return xml_save(&build, "the JUnit report", path, error, error_size);
}
