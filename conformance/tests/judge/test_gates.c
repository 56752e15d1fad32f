// SPDX-License-Identifier: Apache-2.0
// Gates: how their files are read, and what counts whatever a gate says.
#include <stdlib.h>
#include <string.h>

#include "tests/report/test_report_sample.h"
#include "unit/unit.h"

TEST(the_example_of_a_gate_is_read)
{
  Gate gate;
  char error[512] = "";
  ck_assert_msg(gate_read(GATES "/kernels.json", &gate, error, sizeof error), "%s", error);
  ck_assert_uint_eq(gate.rule_count, 2);
  ck_assert_str_eq(gate_name(&gate), GATES "/kernels.json");
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id) {
    const Clause *clause = clause_get((ClauseId)id);
    bool kernel = strcmp(clause->chapter, "buffer") == 0 || strncmp(clause->id, "KER-", 4) == 0;
    ck_assert_int_eq(gate_counts_clause(&gate, clause),
                     clause->level <= (kernel ? CLAUSE_SHOULD : CLAUSE_MUST));
  }
  gate_free(&gate);
}

#define GATE_HEAD "{\"format\": \"tvmffi-conform-gate/1\", \"level\": \"must\", \"reason\": \"x\""
#define GATE_RULE(rule) GATE_HEAD ",\n\"rules\": [\n{" rule "}]}"

static const struct {
  const char *text, *problem;
} wrong_gates[] = {
    {"[]", ":1: must be an object with format, level, reason, rules"},
    {"{\"format\": \"tvmffi-conform-gate/1\",\n\"level\": \"must\"}", ":1: lacks \"reason\", why"},
    {GATE_HEAD ",\n\"strict\": true}",
     ":2: strict: unknown member (allowed: format, level, reason, rules)"},
    {GATE_RULE("\"clauses\": \"VER-1\", \"level\": \"may\", \"reason\": \"x\""),
     ":3: rules[0].level: must be one of: must, should, hardening, nothing"},
    {GATE_RULE("\"clauses\": \"VER-1\", \"level\": \"must\", \"reason\": \" \""),
     ":3: rules[0].reason: must be why"},
    {GATE_RULE("\"clauses\": \"NONE-*\", \"level\": \"must\", \"reason\": \"x\""),
     ":3: rules[0].clauses: matches no clause of the spec"},
    {GATE_RULE("\"case\": \"x\""),
     ":3: rules[0].case: unknown member (allowed: clauses or chapter, level, reason)"},
};

TEST(a_wrong_gate_is_refused_at_its_line, .rows = ROWS(wrong_gates))
{
  Gate gate;
  char error[512] = "", expected[512], *path = sample_path("gate.json");
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(wrong_gates[_i].text, file);
  fclose(file);
  ck_assert(!gate_read(path, &gate, error, sizeof error));
  snprintf(expected, sizeof expected, "%s%s", path, wrong_gates[_i].problem);
  ck_assert_str_eq(error, expected);
  free(path);
}

static const struct {
  ClauseLevel level;
  Ending ending;
  bool wrong_call, shortened, leak;
  RunStanding standing;
} under_any_gate[] = {
    {CLAUSE_MUST, ENDING_FAIL, false, false, false, STANDING_CONFORMS},
    {CLAUSE_MUST, ENDING_FAIL, false, false, true, STANDING_DOES_NOT_CONFORM},
    {CLAUSE_MUST, ENDING_CRASH, false, false, false, STANDING_DOES_NOT_CONFORM},
    {CLAUSE_MUST, ENDING_HANG, false, true, false, STANDING_DOES_NOT_CONFORM},
    {CLAUSE_SHOULD, ENDING_FAIL, false, false, false, STANDING_CONFORMS},
    {CLAUSE_SHOULD, ENDING_FAIL, false, false, true, STANDING_DOES_NOT_CONFORM},
    {CLAUSE_SHOULD, ENDING_FAIL, true, false, true, STANDING_CONFORMS},
    {CLAUSE_SHOULD, ENDING_CRASH, false, false, false, STANDING_DOES_NOT_CONFORM},
    {CLAUSE_SHOULD, ENDING_CRASH, true, false, false, STANDING_CONFORMS},
    {CLAUSE_SHOULD, ENDING_EXIT, false, false, false, STANDING_DOES_NOT_CONFORM},
    {CLAUSE_SHOULD, ENDING_EXIT, true, false, false, STANDING_CONFORMS},
    {CLAUSE_SHOULD, ENDING_HANG, false, false, false, STANDING_DOES_NOT_CONFORM},
    {CLAUSE_SHOULD, ENDING_HANG, true, false, false, STANDING_CONFORMS},
    {CLAUSE_SHOULD, ENDING_HANG, false, true, false, STANDING_CONFORMS},
    {CLAUSE_SHOULD, ENDING_LOST, false, false, false, STANDING_CONFORMS},
    {CLAUSE_HARDENING, ENDING_CRASH, false, false, false, STANDING_CONFORMS},
    {CLAUSE_HARDENING, ENDING_FAIL, false, false, true, STANDING_CONFORMS},
};

TEST(what_a_right_call_does_not_bear_counts_whatever_the_gate, .rows = ROWS(under_any_gate))
{
  char all[] = "*";
  GateRule rule = {.clauses = all, .nothing = true};
  Sample sample;
  sample_begin(&sample);
  sample.report.gate = (Gate){.rules = &rule, .rule_count = 1};
  sample_add(&sample, "version", "fine", CLAUSE_MUST);
  CaseResult *result = sample_add(&sample, "version", "other", CLAUSE_SHOULD);
  sample.instances[1].level = under_any_gate[_i].level;
  sample.tests[1].wrong_call = under_any_gate[_i].wrong_call;
  result->outcome.limit_shortened = under_any_gate[_i].shortened;
  sample_let_end(result, under_any_gate[_i].ending);
  sample_evidence(result)->failures[0].leak = under_any_gate[_i].leak;
  sample_judge(&sample);
  ck_assert_int_eq(sample.report.verdict.standing, under_any_gate[_i].standing);
  sample_end(&sample);
}

TEST(a_leak_is_looked_for_only_among_failures_that_are_there)
{
  Sample sample;
  sample_begin(&sample);
  CaseResult *result = sample_add(&sample, "version", "other", CLAUSE_SHOULD);
  sample_fail(result);
  sample_evidence(result)->failures[1].leak = true;  // left from another case
  sample_judge(&sample);
  ck_assert_int_eq(sample.report.verdict.standing, STANDING_CONFORMS);
  result->outcome.failed = 1000;
  sample_judge(&sample);
  ck_assert_int_eq(sample.report.verdict.standing, STANDING_DOES_NOT_CONFORM);
  sample_end(&sample);
}
