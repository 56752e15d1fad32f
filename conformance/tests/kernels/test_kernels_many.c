// SPDX-License-Identifier: Apache-2.0
// One kernel with four parameters, and a library with 300 of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

enum { FUNCTIONS = 300, TENTH = 10 };

// A signature file of the first `count` functions.
static const char *signatures_of(int count)
{
  const char *path = tool_path("signatures.json");
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  for (int i = 0; i < count; ++i)
    fprintf(file,
            "%s\"mix_%03d\": {\"parameters\": ["
            "{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": [\"m\"]}, "
            "{\"name\": \"y\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": [\"m\"], "
            "\"role\": \"out\"}, {\"name\": \"n\", \"kind\": \"int\", \"value\": 3}, "
            "{\"name\": \"f\", \"kind\": \"float\", \"value\": 2.5}], \"result\": {\"kind\": "
            "\"none\"}, \"expected\": {\"y\": \"x * f + n\"}}",
            i ? ",\n" : "{\"functions\": {", i);
  fputs("}}\n", file);
  ck_assert_int_eq(fclose(file), 0);
  return path;
}

TEST_GROUP(many_kernels, .timeout = 150);

TEST(one_kernel_passes_all)
{
  const char *signatures = signatures_of(1), *report = tool_path("report.json");
  char request[600];
  snprintf(request, sizeof request, "json:%s", report);
  ToolRun run = tool_run(&(ToolSetup){.limit = 60}, TOOL("run", ONE, "--strict", "--signatures",
                                                         signatures, "--report", request));
  ck_assert_msg(run.exit_code == 0, "%s%s", run.out, run.err);
  json_t *json = tool_json(report);
  ck_assert_str_eq(tool_case_text(json, "kernel.outcome-is-as-promised@mix_000", "verdict"),
                   "pass");
  // Read off the clocks of processor time, one after the other: a single thread is no two.
  ck_assert_str_eq(tool_case_text(json, "kernel.large-call-gives-the-same@mix_000", "reason"),
                   "a single thread works on large tensors");
  json_decref(json);
  tool_free(&run);
  remove(report);
  remove(signatures);
}

// Every tenth of the way is seen in what a terminal gets.
TEST(a_bar_moves_over_all_functions)
{
  if (!tool_has_terminals()) return;
  const char *signatures = signatures_of(FUNCTIONS);
  ToolRun run = tool_run(&(ToolSetup){.limit = 120, .on_terminal = true},
                         TOOL("run", MANY, "--signatures", signatures, "--filter",
                              "kernel.right-call", "--filter", "kernel.arity-one-less"));
  ck_assert_msg(run.exit_code == 0, "%s", run.out);
  ck_assert_msg(strstr(run.out, "300 functions"), "%s", run.out);
  unsigned tenths = 0;
  for (const char *at = strstr(run.out, "/600"); at; at = strstr(at + 1, "/600")) {
    const char *number = at;
    while (number > run.out && number[-1] >= '0' && number[-1] <= '9') --number;
    tenths |= 1u << (atoi(number) * TENTH / (2 * FUNCTIONS));
  }
  ck_assert_msg(tenths >> TENTH, "it did not get to the end: %s", run.out);
  ck_assert_msg(__builtin_popcount(tenths) > TENTH / 2, "it made leaps (%x): %s", tenths, run.out);
  ck_assert_msg(strstr(run.out, "600 run in"), "%s", run.out);
  tool_free(&run);
  remove(signatures);
}
