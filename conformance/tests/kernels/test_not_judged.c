// SPDX-License-Identifier: Apache-2.0
// What a report says of kernels of which something could not be judged.
#include <stdio.h>
#include <string.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

TEST_GROUP(not_judged, .timeout = 60);

// 64 calls in a row take longer than the case has.
TEST(a_slow_function_does_not_hang)
{
  const char *report = tool_path("report.json"), *leaks = "kernel.good-call-leaks-nothing@add_one";
  char request[600];
  snprintf(request, sizeof request, "json:%s", report);
  ToolRun run = tool_run(
      &(ToolSetup){.limit = 50},
      TOOL("run", MODULES "/add_one_slow.so", "--signatures", KERNELS "/add_one.json", "--filter",
           leaks, "--timeout", "100ms", "--min-judged=0", "--report", request));
  ck_assert_msg(run.exit_code == 0, "%s%s", run.out, run.err);
  json_t *json = tool_json(report);
  ck_assert_str_eq(tool_case_text(json, leaks, "verdict"), "inconclusive");
  const char *reason = tool_case_text(json, leaks, "reason");
  ck_assert_msg(strstr(reason, "out of time after 2 s, though calls came back"), "%s", reason);
  json_decref(json);
  tool_free(&run);
  remove(report);
}

TEST(what_a_function_is_too_slow_for_has_no_verdict)
{
  const char *report = tool_path("report.json"), *explored = "kernel.choice-is-explored@number";
  const char *leaks = "kernel.good-call-leaks-nothing@number";
  char request[600];
  snprintf(request, sizeof request, "json:%s", report);
  ToolRun run =
      tool_run(&(ToolSetup){.limit = 50},
               TOOL("run", MODULES "/number_late.so", "--signatures", KERNELS "/number_within.json",
                    "--filter", explored, "--filter", leaks, "--report", request));
  ck_assert_msg(run.exit_code == 5, "%s%s", run.out, run.err);
  json_t *json = tool_json(report);
  ck_assert_str_eq(tool_case_text(json, explored, "verdict"), "inconclusive");
  ck_assert_str_eq(tool_case_text(json, explored, "reason"), "each call takes longer than 1.5 s");
  ck_assert_str_eq(tool_case_text(json, leaks, "verdict"), "inconclusive");
  const char *reason = tool_case_text(json, leaks, "reason");
  ck_assert_msg(strstr(reason, "too long to make 128 of them"), "%s", reason);
  json_decref(json);
  tool_free(&run);
  remove(report);
}

static void write_signatures(const char *path, const char *conditions)
{
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fprintf(
      file,
      "{\"functions\": {\"number\": {\"parameters\": [{\"name\": \"n\", \"kind\": \"int\", \"value\": 3}], "
      "%s, \"result\": {\"kind\": \"int\"}, \"expected\": {\"result\": \"n\"}}}}\n",
      conditions);
  ck_assert_int_eq(fclose(file), 0);
}

// That the report asks for a call which breaks the condition, or does not.
static void expect_asked(const char *conditions, bool asked)
{
  const char *signatures = tool_path("signatures.json");
  write_signatures(signatures, conditions);
  ToolRun run = tool_run(&(ToolSetup){.limit = 50},
                         TOOL("run", MODULES "/number_right.so", "--signatures", signatures,
                              "--filter", "kernel.excluded-value-is-refused"));
  ck_assert_msg((strstr(run.out, "\"refused\": true}] where not") != NULL) == asked, "%s: %s",
                conditions, run.out);
  tool_free(&run);
  remove(signatures);
}

TEST(conditions_that_no_call_breaks_are_told)
{
  expect_asked("\"where\": [\"n * 7919 % 1000003 != 12345\"]", true);
  expect_asked("\"where\": [\"n >= 0\"]", false);
  // A listed call breaks it: 7919 * 269102 is 12345 more than a multiple.
  expect_asked(
      "\"where\": [\"n * 7919 % 1000003 != 12345\"], "
      "\"calls\": [{\"arguments\": {\"n\": 269102}, \"refused\": true}]",
      false);
}
