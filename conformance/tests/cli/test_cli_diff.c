// SPDX-License-Identifier: Apache-2.0
// `diff`: from two runs to its exit code.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test_cli.h"

#define CRASHING HOSTILE_FOLDER "/call_crash.so"
#define FEW "--filter=string.short-*"

// The report of a run over a few cases, which ends so.
static const char *judged(const char *library, int exit_code)
{
  char option[600];
  const char *path = tool_path("diff.json");
  snprintf(option, sizeof option, "--report=json:%s", path);
  ToolRun run = cli_run(NULL, exit_code, TOOL("run", library, FEW, "-q", option));
  tool_free(&run);
  return path;
}

TEST_GROUP(diff, .timeout = 60);

TEST(diff_tells_what_got_worse_and_better)
{
  const char *good = judged(REFERENCE, 0), *bad = judged(CRASHING, 1);
  ToolRun worse = cli_run(NULL, 1, TOOL("diff", good, bad));
  cli_expect_text(
      worse.out,
      "old   *, runtime profile, * partial\nnew   *\n\nWORSE string.*clause  *before        pass\n*now           fail\n*\nstanding changed: CONFORMS -> NOT CONFORMANT\n[1-9]* regressions, 0 fixes, *");
  ck_assert(cli_is_plain(worse.out));
  ck_assert_str_eq(worse.err, "");
  ToolRun better = cli_run(NULL, 0, TOOL("diff", bad, good));
  cli_expect_text(
      better.out,
      "*\nBETTER string.*\nstanding changed: NOT CONFORMANT -> CONFORMS\n0 regressions, [1-9]* fixes, *");
  ToolRun still = cli_run(NULL, 0, TOOL("diff", good, good));
  cli_expect_text(still.out, "*\nstanding unchanged: CONFORMS\n0 regressions, 0 fixes, *");
  tool_free(&still);
  ToolRun same = cli_run(NULL, 0, TOOL("diff", bad, bad, "-q"));
  cli_expect_text(same.out, "0 regressions, 0 fixes, 0 new, 0 gone, *");
  tool_free(&worse);
  tool_free(&better);
  tool_free(&same);
}

TEST(diff_writes_json)
{
  const char *good = judged(REFERENCE, 0), *bad = judged(CRASHING, 1);
  const char *path = tool_path("comparison.json");
  char option[600];
  snprintf(option, sizeof option, "--report=json:%s", path);
  ToolRun run = cli_run(NULL, 1, TOOL("diff", good, bad, option, "--color=always"));
  ck_assert_ptr_nonnull(strstr(run.out, "\033["));
  json_t *root = tool_json(path);
  ck_assert_str_eq(json_string_value(json_object_get(root, "format")), "tvmffi-conform-diff/1");
  json_decref(root);
  tool_free(&run);
  run = cli_run(NULL, 1, TOOL("diff", good, bad, "--report=json:-"));
  cli_expect_text(run.out, "{\n  \"format\"*}\n");
  cli_expect_text(run.err, "old *regressions, *");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("diff", good, bad, "--report=json:/nowhere/x.json"));
  cli_expect_text(run.err, "tvmffi-conform: *nowhere*");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("diff", good, bad, "--report=tap:-"));
  cli_expect_text(
      run.err, "*diff: --report=tap:-: expected KIND:PATH with KIND json, and PATH a file or -*");
  tool_free(&run);
}

TEST(diff_refuses_what_is_no_report)
{
  const char *good = judged(REFERENCE, 0);
  ToolRun run = cli_run(NULL, 2, TOOL("diff", REFERENCE, good));
  cli_expect_text(run.err, "tvmffi-conform: " REFERENCE ":1:*: not JSON: *\n");
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("diff", good, "/nowhere/new.json"));
  cli_expect_text(run.err, "tvmffi-conform: /nowhere/new.json: No such file *\n");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("diff", good));
  cli_expect_text(run.err, "*diff: missing NEW.json*");
  tool_free(&run);
}

TEST(diff_takes_a_pipe_and_does_not_wait_for_nobody)
{
  char script[1400];
  const char *good = judged(REFERENCE, 0), *pipe_path = tool_path("pipe");
  snprintf(script, sizeof script, "cat %s | " TOOL_PROGRAM " diff /dev/stdin %s -q", good, good);
  ToolRun run = cli_run(NULL, 0, (const char *const[]){"/bin/sh", "-c", script, NULL});
  cli_expect_text(run.out, "0 regressions, 0 fixes, 0 new, 0 gone, [1-9]* unchanged\n");
  tool_free(&run);
  ck_assert_int_eq(mkfifo(pipe_path, 0600), 0);
  run = cli_run(NULL, 2, TOOL("diff", good, pipe_path));
  cli_expect_text(run.err, "tvmffi-conform: *pipe: the pipe has no writer\n");
  tool_free(&run);
}

TEST(diff_is_told_of_a_full_disk)
{
  const char *good = judged(REFERENCE, 0);
  char script[1400];
  if (access("/dev/full", W_OK) != 0) return;
  snprintf(script, sizeof script, TOOL_PROGRAM " diff %s %s >/dev/full", good, good);
  ToolRun run = cli_run(NULL, 2, (const char *const[]){"/bin/sh", "-c", script, NULL});
  cli_expect_text(run.err, "*cannot write the comparison: No space left on device\n");
  tool_free(&run);
}
