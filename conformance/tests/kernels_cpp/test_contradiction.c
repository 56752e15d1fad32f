// SPDX-License-Identifier: Apache-2.0
// A signature file that is not of the module it is given with: metadata, or the error for a call
// without arguments, say what the module is.
#include <stdio.h>
#include <string.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

static const struct {
  const char *module, *function;
  int exit_code;
  const char *said;
} rows[] = {
    {BY_METADATA, "\"twice\": {\"parameters\": [{\"name\": \"n\", \"kind\": \"string\"}]}", 2,
     "twice: parameter 0 (n): the signature file has string, the module's metadata int"},
    {BY_ERROR, "\"twice\": {\"parameters\": [{\"name\": \"n\", \"kind\": \"string\"}]}", 2,
     "twice: parameter 0 (n): the signature file has string, the module's error for no arguments int"},
    {BY_ERROR, "\"twice\": {\"parameters\": [{\"kind\": \"int\"}, {\"kind\": \"int\"}]}", 2,
     "twice: the signature file has 2 parameters, the module's error for no arguments 1"},
    {BY_METADATA,
     "\"twice\": {\"parameters\": [{\"kind\": \"int\"}], \"result\": {\"kind\": \"none\"}}", 2,
     "twice: the result: the signature file has none, the module's metadata int"},
    {BY_METADATA,
     "\"twice\": {\"parameters\": [{\"kind\": \"int\"}], \"result\": {\"kind\": \"int\"}}", 0,
     "1 passed"},
    {BY_ERROR,
     "\"twice\": {\"parameters\": [{\"kind\": \"int\"}], \"result\": {\"kind\": \"int\"}}", 0,
     "1 passed"},
};

TEST_GROUP(contradiction, .timeout = 120);

TEST(each_source_is_told)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const char *path = tool_path("signatures.json");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "{\"functions\": {%s}}", rows[i].function);
    ck_assert_int_eq(fclose(file), 0);
    ToolRun run = tool_run(&(ToolSetup){.limit = 60},
                           TOOL("run", rows[i].module, "--signatures", path, "--filter",
                                "kernel.right-call@twice", "--min-judged=0"));
    ck_assert_msg(run.exit_code == rows[i].exit_code, "%zu: %d: %s%s", i, run.exit_code, run.out,
                  run.err);
    ck_assert_msg(strstr(run.out, rows[i].said) || strstr(run.err, rows[i].said), "%zu: %s%s", i,
                  run.out, run.err);
    tool_free(&run);
    remove(path);
  }
}

// The file says no spellings of y0, which the module takes as an object alone: `run` and `repro` hand it over so.
TEST(repro_takes_the_spellings_of_the_module)
{
  ToolRun run = tool_run(
      &(ToolSetup){.limit = 60},
      TOOL("repro", "kernel.later-error-is-passed-on@march", FORGIVES, "--signatures", MARCH));
  ck_assert_msg(run.exit_code == 1, "%d: %.800s", run.exit_code, run.err);
  ck_assert_msg(strstr(run.out, "expectations held, 2 did not"), "%.800s", run.out);
  tool_free(&run);
}
