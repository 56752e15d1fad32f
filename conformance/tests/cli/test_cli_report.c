// SPDX-License-Identifier: Apache-2.0
// What a run writes: text on and off a terminal, reports, and waivers read and written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test_cli.h"

#define CRASHING HOSTILE_FOLDER "/call_crash.so"
#define VICTIM "string.short-text-is-small.length-3"
#define BYSTANDER "string.short-bytes-are-small.length-3"

static char *option(const char *name, const char *path)
{
  enum { OPTIONS = 8 };
  static char texts[OPTIONS][600];
  static unsigned next;
  char *text = texts[next++ % OPTIONS];
  snprintf(text, sizeof texts[0], "%s%s", name, path);
  return text;
}

static char *read_text(const char *path)
{
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s was not written", path);
  char *text = calloc(1, 1 << 20);
  ck_assert_uint_lt(fread(text, 1, (1 << 20) - 1, file), (1 << 20) - 1);
  fclose(file);
  return text;
}

static const char *write_text(const char *name, const char *text)
{
  const char *path = tool_path(name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
  return path;
}

// --- Text ----------------------------------------------------------------------------------------

#define FEW "--filter=string.short-*"

TEST_GROUP(reports, .timeout = 60);

TEST(off_a_terminal_there_are_no_control_characters)
{
  ToolRun run = cli_run(NULL, 1, TOOL(CRASHING, FEW));
  ck_assert(cli_is_plain(run.out));
  ck_assert_str_eq(run.err, "");
  cli_expect_text(
      run.out,
      "call_crash.so   runtime profile, *CRASH *reproduce *NOT CONFORMANT to TVM FFI ABI *\n");
  tool_free(&run);
}

TEST(colours_can_be_had_and_refused, .unless = !tool_has_terminals())
{
  ToolSetup refused = {.environment = {"NO_COLOR=1", "TERM=xterm"}};
  ToolSetup empty = {.environment = {"NO_COLOR=", "TERM=xterm"}};
  ToolRun run = cli_run(NULL, 1, TOOL(CRASHING, FEW, "--color=always"));
  ck_assert_ptr_nonnull(strstr(run.out, "\033["));
  tool_free(&run);
  run = cli_run(&refused, 1, TOOL(CRASHING, FEW, "--color=always"));
  ck_assert_msg(strstr(run.out, "\033[") != NULL, "who asks for colours gets them");
  tool_free(&run);
  refused.on_terminal = empty.on_terminal = true;
  run = cli_run(&refused, 1, TOOL(CRASHING, FEW));
  ck_assert_msg(!strstr(run.out, "\033[3") && !strstr(run.out, "\033[1"), "%s", run.out);
  tool_free(&run);
  run = cli_run(&empty, 1, TOOL(CRASHING, FEW));
  ck_assert_ptr_nonnull(strstr(run.out, "\033["));
  tool_free(&run);
  run = cli_run(&empty, 1, TOOL(CRASHING, FEW, "--color=never"));
  ck_assert_msg(!strstr(run.out, "\033[3") && !strstr(run.out, "\033[1"), "%s", run.out);
  tool_free(&run);
}

TEST(a_dumb_terminal_gets_plain_lines, .unless = !tool_has_terminals())
{
  ToolSetup setup = {.on_terminal = true, .environment = {"TERM=dumb"}};
  ToolRun run = cli_run(&setup, 1, TOOL(CRASHING, FEW));
  ck_assert_ptr_null(strchr(run.out, '\033'));
  tool_free(&run);
}

TEST(quiet_and_verbose)
{
  ToolRun quiet = cli_run(NULL, 1, TOOL(CRASHING, FEW, "-q"));
  ToolRun usual = cli_run(NULL, 1, TOOL(CRASHING, FEW));
  ToolRun verbose = cli_run(NULL, 1, TOOL(CRASHING, FEW, "-v"));
  ck_assert_uint_lt(quiet.out_size, usual.out_size);
  ck_assert_uint_lt(usual.out_size, verbose.out_size);
  cli_expect_text(quiet.out, "CRASH *\n\nNOT CONFORMANT *");
  ck_assert_ptr_null(strstr(quiet.out, "8 passed"));
  cli_expect_text(usual.out, "*8 passed, 8 crashed*CRASH *\n\nNOT CONFORMANT *");
  ck_assert_ptr_null(strstr(usual.out, BYSTANDER));
  ck_assert_ptr_nonnull(strstr(verbose.out, BYSTANDER));
  tool_free(&quiet);
  tool_free(&usual);
  tool_free(&verbose);
}

// --- Reports -------------------------------------------------------------------------------------

TEST(several_reports_of_one_run)
{
  const char *json = tool_path("x.json"), *junit = tool_path("x.xml"), *tap = tool_path("x.tap");
  ToolRun run = cli_run(NULL, 1,
                        TOOL(CRASHING, FEW, option("--report=json:", json),
                             option("--report=junit:", junit), option("--report=tap:", tap)));
  tool_free(&run);
  json_t *report = tool_json(json);
  ck_assert_uint_eq(tool_count(report, "", "fail"), 8);
  ck_assert_uint_eq(tool_count(report, "", "pass"), 8);
  json_decref(report);
  char *text = read_text(junit);
  cli_expect_text(text, "<?xml *<testsuite*" VICTIM "*</testsuite*");
  free(text);
  text = read_text(tap);
  cli_expect_text(text, "TAP version 1[34]\n*not ok *" VICTIM "*");
  free(text);
}

TEST(a_report_may_be_the_output)
{
  ToolRun run = cli_run(NULL, 1, TOOL(CRASHING, FEW, "--report=json:-"));
  json_error_t error;
  json_t *report = json_loads(run.out, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(report != NULL, "%s", error.text);
  cli_expect_text(run.err, "*NOT CONFORMANT*");
  json_decref(report);
  tool_free(&run);
}

// Before anything of the library runs: it would loop for ever.
TEST(a_report_that_cannot_be_written_is_refused_at_once)
{
  ToolRun run = cli_run(
      NULL, 2, TOOL(HOSTILE_FOLDER "/load_loop.so", "--report=json:/proc/nonexistent/x.json"));
  ck_assert(run.seconds < 2);
  cli_expect_text(run.err,
                  "tvmffi-conform: cannot write the json report to /proc/nonexistent/x.json: *\n");
  tool_free(&run);
}

TEST(a_report_that_fails_in_the_end_is_not_passed_over)
{
  ToolRun run = cli_run(NULL, 2, TOOL(REFERENCE, "--filter=version.*", "--report=json:/dev/full"));
  cli_expect_text(run.out, "*CONFORMS*");
  cli_expect_text(run.err, "tvmffi-conform: cannot write the JSON report: /dev/full: *\n");
  tool_free(&run);
  run = cli_run(NULL, 1, TOOL(CRASHING, FEW, "--report=tap:/dev/full"));
  cli_expect_text(run.err, "tvmffi-conform: *TAP*/dev/full: *\n");
  tool_free(&run);
}

TEST(what_cannot_be_written_is_known_before_anything_runs)
{
  ToolRun run = cli_run(
      NULL, 2, TOOL(REFERENCE, "--filter=version.*", option("--report=json:", TOOL_FOLDER)));
  cli_expect_text(run.err, "tvmffi-conform: cannot write the json report to *directory\n");
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("fuzz", "--runs=10", "-o", "/proc/self/folder", REFERENCE));
  cli_expect_text(run.err, "tvmffi-conform: */proc/self/folder*");
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("self-test", "nosuch"));
  cli_expect_text(run.err, "tvmffi-conform: unknown mutant or clause \"nosuch\": *");
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
}

// A report takes the place of an older one as a whole or not at all.
TEST(a_report_replaces_an_older_one)
{
  const char *path = write_text("old.json", "what was there before");
  ToolRun run =
      cli_run(NULL, 2, TOOL(REFERENCE, "--filter=no-such-case", option("--report=json:", path)));
  tool_free(&run);
  char *text = read_text(path);
  ck_assert_str_eq(text, "what was there before");
  free(text);
  run = cli_run(NULL, 0, TOOL(REFERENCE, "--filter=version.*", option("--report=json:", path)));
  tool_free(&run);
  json_decref(tool_json(path));
}

static void drop_times(json_t *value)
{
  const char *key;
  void *next;
  json_t *member;
  size_t index;
  json_object_foreach_safe(value, next, key, member)
  {
    if (strcmp(key, "duration_us") == 0 || strcmp(key, "started_at") == 0)
      json_object_del(value, key);
    else
      drop_times(member);
  }
  json_array_foreach(value, index, member) drop_times(member);
}

static char *report_without_times(const char *library)
{
  const char *path = tool_path("twice.json");
  ToolRun run =
      tool_run(NULL, TOOL(library, "--filter=string.*", "--exclude=*thread*", "--filter=any.*",
                          "--timeout=5s", option("--report=json:", path)));
  tool_free(&run);
  json_t *report = tool_json(path);
  drop_times(report);
  char *text = json_dumps(report, JSON_INDENT(1) | JSON_SORT_KEYS);
  json_decref(report);
  return text;
}

TEST(two_runs_differ_in_times_only, .rows = 6)
{
  static const char *const libraries[] = {REFERENCE,
                                          CRASHING,
                                          HOSTILE_FOLDER "/call_abort.so",
                                          HOSTILE_FOLDER "/call_overread.so",
                                          HOSTILE_FOLDER "/call_stack.so",
                                          HOSTILE_FOLDER "/call_exit.so"};
  char *first = report_without_times(libraries[_i]), *second = report_without_times(libraries[_i]);
  size_t same = 0;
  while (first[same] && first[same] == second[same]) ++same;
  ck_assert_msg(first[same] == second[same], "%s: they part at\n%.300s\n--\n%.300s", libraries[_i],
                first + (same > 100 ? same - 100 : 0), second + (same > 100 ? same - 100 : 0));
  free(first);
  free(second);
}

// Descriptors 0 to 2 that are closed are not taken by something that then gets the text.
TEST(it_does_without_output)
{
  const char *path = tool_path("silent.json");
  ToolSetup setup = {.output_closed = true};
  ToolRun run = cli_run(&setup, 1, TOOL(CRASHING, FEW, option("--report=json:", path)));
  tool_free(&run);
  json_t *report = tool_json(path);
  ck_assert_uint_eq(tool_count(report, "", "pass"), 8);
  json_decref(report);
}

// --- Gates ---------------------------------------------------------------------------------------

// The case that crashes is of a MUST clause, and counts whatever a gate says.
TEST(a_gate_file_is_read)
{
  const char *path =
      write_text("gate.json",
                 "{\"format\": \"tvmffi-conform-gate/1\", \"level\": \"must\", "
                 "\"reason\": \"strings only\", \"rules\": [{\"chapter\": \"string\", "
                 "\"level\": \"nothing\", \"reason\": \"known\"}]}");
  ToolRun run = cli_run(NULL, 1, TOOL(CRASHING, option("--gate=", path), "--filter", VICTIM));
  cli_expect_text(run.out, "*CRASH " VICTIM "*NOT CONFORMANT*");
  tool_free(&run);
  path = write_text("gate.json",
                    "{\"format\": \"tvmffi-conform-gate/1\", \"level\": \"may\", "
                    "\"reason\": \"x\"}");
  run = cli_run(NULL, 2, TOOL(REFERENCE, option("--gate=", path), "--filter", VICTIM));
  cli_expect_text(run.err, "tvmffi-conform: *gate.json*level*must be one of: *");
  tool_free(&run);
}

// --- Waivers -------------------------------------------------------------------------------------

#define WAIVE(id, more) "{\"waivers\": [{\"case\": \"" id "\", \"reason\": \"known\"" more "}]}"

static ToolRun run_with_waivers(const char *waivers, int exit_code, const char *filter)
{
  const char *path = write_text("waivers.json", waivers);
  return cli_run(NULL, exit_code, TOOL(CRASHING, option("--waivers=", path), "--filter", filter));
}

TEST(a_waived_failure_is_expected)
{
  ToolRun run = run_with_waivers(WAIVE(VICTIM, ""), 0, VICTIM);
  cli_expect_text(
      run.out, "*0 passed, 1 waived*1 waived, 1 clause *MUST *STR-2 *(crashed)*\nBROKEN, KNOWN *");
  tool_free(&run);
  run = run_with_waivers(WAIVE("string.short-text-is-small.*", ""), 0, "string.short-*");
  tool_free(&run);
  // The waiver is for one row; the others fail.
  run = run_with_waivers(WAIVE(VICTIM, ""), 1, "string.short-text-is-small.*");
  tool_free(&run);
}

TEST(a_stale_waiver_fails)
{
  ToolRun run = run_with_waivers(WAIVE(BYSTANDER, ""), 1, BYSTANDER);
  cli_expect_text(run.out, "*XPASS " BYSTANDER "*it passes; remove its entry from*NOT CONFORMANT*");
  tool_free(&run);
}

TEST(official_waivers_are_for_official_releases)
{
  ToolRun run = cli_run(NULL, 2, TOOL(REFERENCE, "--waivers=official"));
  cli_expect_text(run.err,
                  "tvmffi-conform: --waivers=official: *is not a known official release (*\n");
  tool_free(&run);
}

typedef struct WaiverRow {
  const char *text, *says;
} WaiverRow;

static const WaiverRow bad_waivers[] = {
    {WAIVE("string.short-text-is-smal.length-3", ""), "*short-text-is-smal*" VICTIM "*"},
    {WAIVE(VICTIM, ", \"expires\": \"2020-02-30\""), "*expires*"},
    {WAIVE(VICTIM, ", \"expires\": \"2020-02-03\""), "*2020-02-03*"},
    {WAIVE(VICTIM, ", \"because\": \"x\""), "*because*"},
    {"{\"waivers\": [{\"case\": \"" VICTIM "\", \"reason\": \"\"}]}", "*reason*"},
    {"{\"waivers\": [{\"case\": \"" VICTIM "\"}]}", "*reason*"},
    {"{\"waivers\": [", "*waivers.json*"},
    {"[]", "*waivers*"},
    {"", "*waivers.json*"},
};
enum { BAD_WAIVERS = sizeof bad_waivers / sizeof bad_waivers[0] };

TEST(a_bad_waiver_file_is_refused, .rows = BAD_WAIVERS)
{
  ToolRun run = run_with_waivers(bad_waivers[_i].text, 2, VICTIM);
  cli_expect_text(run.err, bad_waivers[_i].says);
  ck_assert(cli_is_plain(run.err));
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
}

TEST(a_missing_waiver_file_is_refused)
{
  ToolRun run = cli_run(NULL, 2, TOOL(CRASHING, "--waivers=/nonexistent.json"));
  cli_expect_text(run.err, "tvmffi-conform: */nonexistent.json*No such file*");
  tool_free(&run);
}

TEST(waivers_for_today_can_be_written_and_used)
{
  const char *path = tool_path("today.json");
  ToolRun run = cli_run(NULL, 1, TOOL(CRASHING, FEW, option("--write-waivers=", path)));
  tool_free(&run);
  json_t *waivers = tool_json(path);
  ck_assert_uint_gt(json_array_size(json_object_get(waivers, "waivers")), 0);
  json_decref(waivers);
  run = cli_run(NULL, 0, TOOL(CRASHING, FEW, option("--waivers=", path)));
  cli_expect_text(run.out, "*\nBROKEN, KNOWN *");
  tool_free(&run);
  // They are no licence for another library, one that is in order.
  run = cli_run(NULL, 1, TOOL(REFERENCE, FEW, option("--waivers=", path)));
  cli_expect_text(run.out, "*XPASS *");
  tool_free(&run);
}
