// SPDX-License-Identifier: Apache-2.0
// `trace`: planted mistakes and their right twins, and what becomes of the program's own output and
// exit code. The program finds its runtime with dlsym.
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "layer/checks.h"
#include "tests/tool/tool.h"
#include "unit/unit.h"

TEST_GROUP(trace, .timeout = 120);

static ToolRun run(int exit_code, const char *const *words)
{
  ToolRun run = tool_run(NULL, words);
  ck_assert_msg(run.exit_code == exit_code, "exit code %d, not %d\n%.400s%.900s", run.exit_code,
                exit_code, run.out, run.err);
  return run;
}

static void expect(const char *text, const char *glob)
{
  ck_assert_msg(fnmatch(glob, text, 0) == 0, "not \"%s\":\n%s", glob, text);
}

// --- Mistakes ------------------------------------------------------------------------------------

typedef struct Bug {
  const char *name, *check, *clause, *blame, *symbol;
} Bug;

static const Bug bugs[] = {
#define BUG(name, check, clause, blame, symbol) {#name, check, clause, blame, symbol},
#define DEEP_BUGS
#include "tests/trace/trace_bugs.def"
};

// A check that nobody planted a mistake for could be left out, and no test would fail.
TEST(every_check_has_a_mistake)
{
  static const char *const elsewhere[] = {"call-exception"};  // trace_exception.cc
  for (size_t check = 0; check < CHECK_COUNT; ++check) {
    bool found = false;
    for (size_t i = 0; i < sizeof bugs / sizeof bugs[0]; ++i)
      found = found || strcmp(bugs[i].check, checks[check].name) == 0;
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; ++i)
      found = found || strcmp(elsewhere[i], checks[check].name) == 0;
    ck_assert_msg(found, "%s has no mistake", checks[check].name);
  }
}

// The lines of a report, as an array.
static json_t *read_lines(const char *path)
{
  char *text = tool_text(path), *rest = text;
  json_t *lines = json_array();
  for (char *line; (line = strsep(&rest, "\n")) && *line;) {
    json_error_t error;
    json_t *value = json_loads(line, 0, &error);
    ck_assert_msg(value, "%s: %s", error.text, line);
    json_array_append_new(lines, value);
  }
  free(text);
  return lines;
}

static const char *member(const json_t *line, const char *key)
{
  const char *text = json_string_value(json_object_get(line, key));
  return text ? text : "";
}

static const char *blamed_symbol(const json_t *line)
{
  if (strcmp(member(line, "blame"), "cannot tell") == 0) return NULL;
  bool caller = strcmp(member(line, "blame"), "caller") == 0;
  return member(json_object_get(line, caller ? "caller" : "callee"), "symbol");
}

static bool is_of(const json_t *line, const Bug *bug)
{
  return strcmp(member(line, "check"), bug->check) == 0 &&
         strcmp(member(line, "clause"), bug->clause) == 0 &&
         strcmp(member(line, "blame"), bug->blame) == 0 &&
         (!bug->symbol || strcmp(blamed_symbol(line), bug->symbol) == 0);
}

// Each mistake is found, and nothing but mistakes is.
TEST(mistakes_are_found_and_blamed)
{
  const char *report = tool_path("bugs.jsonl");
  char option[256];
  snprintf(option, sizeof option, "--report=json:%s", report);
  ToolRun wrong =
      run(1, TOOL("trace", option, "--preset=deep", "--", BUGS_PROGRAM, REFERENCE, "wrong"));
  ck_assert_str_eq(wrong.out, "end\n");
  ck_assert_str_eq(wrong.err, "");
  json_t *lines = read_lines(report);
  size_t index, findings = 0;
  json_t *line;
  for (size_t i = 0; i < sizeof bugs / sizeof bugs[0]; ++i) {
    bool found = false;
    json_array_foreach(lines, index, line) found = found || is_of(line, &bugs[i]);
    ck_assert_msg(found, "%s: not found by %s", bugs[i].name, bugs[i].check);
  }
  json_array_foreach(lines, index, line)
  {
    bool planted = strcmp(member(line, "kind"), "finding") != 0;
    findings += !planted;
    for (size_t i = 0; i < sizeof bugs / sizeof bugs[0]; ++i)
      planted = planted || is_of(line, &bugs[i]);
    ck_assert_msg(planted, "nobody planted %s, blamed on %s: %s", member(line, "check"),
                  blamed_symbol(line) ? blamed_symbol(line) : "nobody", member(line, "text"));
  }
  ck_assert_uint_ge(findings, sizeof bugs / sizeof bugs[0]);
  json_decref(lines);
  tool_free(&wrong);
}

// The layer without half of its checks, once with the one half and once with the other: what is missing
// is what they find, and no other check finds it.
TEST(mistakes_are_found_by_their_checks, .rows = 2)
{
  const char *report = tool_path("half.jsonl"), *words[TOOL_WORDS_MAX] = {TOOL_PROGRAM, "trace"};
  static char options[CHECK_COUNT + 1][256];
  size_t count = 2;
  snprintf(options[CHECK_COUNT], sizeof options[0], "--report=json:%s", report);
  words[count++] = options[CHECK_COUNT];
  words[count++] = "--preset=deep";
  for (size_t check = (size_t)_i; check < CHECK_COUNT; check += 2) {
    snprintf(options[check], sizeof options[0], "--mute=%s", checks[check].name);
    words[count++] = options[check];
  }
  const char *const program[] = {"--", BUGS_PROGRAM, REFERENCE, "wrong"};
  for (size_t i = 0; i < sizeof program / sizeof *program; ++i) words[count++] = program[i];
  ToolRun wrong = run(1, words);
  json_t *lines = read_lines(report), *line;
  for (size_t check = 0; check < CHECK_COUNT; ++check) {
    size_t index, found = 0;
    json_array_foreach(lines, index, line) found +=
        strcmp(member(line, "check"), checks[check].name) == 0;
    bool muted = check % 2 == (size_t)_i;
    ck_assert_msg(!muted || found == 0, "%s is made", checks[check].name);
    if (strcmp(checks[check].name, "call-exception") != 0)
      ck_assert_msg(muted || found > 0, "%s finds nothing", checks[check].name);
  }
  json_decref(lines);
  tool_free(&wrong);
}

TEST(right_twins_are_not_blamed)
{
  ToolRun right = run(0, TOOL("trace", "--preset=deep", "--", BUGS_PROGRAM, REFERENCE, "right"));
  ck_assert_str_eq(right.out, "end\n");
  expect(right.err,
         "process * calls of the C API*\n0 errors, 0 advice; * crossings in 1 process\n");
  tool_free(&right);
}

// The mistakes harm nobody where there is no layer: it does not find them by their consequences.
TEST(mistakes_are_silent_without_the_layer)
{
  ToolRun bare = run(0, (const char *const[]){BUGS_PROGRAM, REFERENCE, "wrong", NULL});
  ck_assert_str_eq(bare.out, "end\n");
  tool_free(&bare);
}

// By addr2line, where it is installed; the program has debug information.
TEST(lines_are_told)
{
  ToolRun told =
      run(1, TOOL("trace", "--lines", "--", BUGS_PROGRAM, REFERENCE, "wrong", "argument_padding"));
  ToolRun tool = tool_run(NULL, (const char *const[]){"sh", "-c", "command -v addr2line", NULL});
  bool has_line = fnmatch("*called from trace_bugs+* (argument_padding+*) at *trace_bugs.c:[1-9]*",
                          told.err, 0) == 0;
  ck_assert_msg(has_line == (tool.exit_code == 0), "%s", told.err);
  tool_free(&tool);
  tool_free(&told);
}

// --- Programs that treat themselves badly --------------------------------------------------------

// They do as without the layer, and what was found before is told.
static ToolRun run_hostile(const char *name, const char *preset)
{
  ToolRun run =
      tool_run(NULL, TOOL("trace", preset, "--limit=0", "--", HOSTILE_PROGRAM, REFERENCE, name));
  ck_assert_msg(run.exit_code == 1, "exit code %d\n%.900s", run.exit_code, run.err);
  ck_assert_msg(fnmatch("*trace_hostile broke CALL-1:*make_mistake*", run.err, 0) == 0, "%.900s",
                run.err);
  return run;
}

TEST(a_hostile_program_lives_as_without_the_layer)
{
  ToolRun bare = run(5, (const char *const[]){HOSTILE_PROGRAM, REFERENCE, "lives", NULL});
  ck_assert_str_eq(bare.out, "end\n");
  tool_free(&bare);
  ToolRun none =
      run(5, TOOL("trace", "--check=call-no-function", "--", HOSTILE_PROGRAM, REFERENCE, "lives"));
  ck_assert_str_eq(none.out, "end\n");
  ck_assert_msg(!strstr(none.err, "no room"), "%s", none.err);
  tool_free(&none);
  ToolRun lives = run_hostile("lives", "--preset=deep");
  ck_assert_str_eq(lives.out, "end\n");
  ck_assert_msg(!strstr(lives.err, "KER-23"), "the end of a thread is not an exception");
  tool_free(&lives);
}

TEST(a_program_that_ends_in_a_call_leaves_its_report)
{
  ToolRun leaves = run_hostile("leaves", "--preset=standard");
  tool_free(&leaves);
  ToolRun overflows = run_hostile("overflows", "--preset=standard");
  expect(overflows.err, "*ended by signal 11, in a call\n*called from trace_hostile*overflow*");
  tool_free(&overflows);
}

TEST(a_report_that_cannot_be_written_is_told)
{
  ToolRun full =
      run(2, TOOL("trace", "--report=text:/dev/full", "--", BUGS_PROGRAM, REFERENCE, "right"));
  ck_assert_str_eq(full.out, "end\n");
  expect(full.err, "*cannot write the text report to /dev/full: No space left on device*");
  tool_free(&full);
}

// --- Ways to reach a runtime ---------------------------------------------------------------------

TEST(every_way_to_reach_a_runtime_is_seen)
{
  static const char *const callers[] = {"by_local_handle", "by_deep_handle",  "by_namespace",
                                        "by_default",      "trace_route_now", "trace_route_noplt",
                                        "trace_route_lazy"};
  ToolRun routes =
      run(1, TOOL("trace", "--limit=0", "--check=argument-padding", "--", ROUTES_PROGRAM, REFERENCE,
                  TRACE_ROUTE_LAZY, TRACE_ROUTE_NOW, TRACE_ROUTE_NOPLT));
  ck_assert_str_eq(routes.out, "end\n");
  for (size_t i = 0; i < sizeof callers / sizeof callers[0]; ++i)
    ck_assert_msg(strstr(routes.err, callers[i]), "%s is not seen: %.900s", callers[i], routes.err);
  expect(routes.err, "*\n7 errors, 0 advice*");
  tool_free(&routes);
  static const char *const linked[] = {TRACE_LINKED_LAZY, TRACE_LINKED_NOW, TRACE_LINKED_NOPLT};
  for (size_t i = 0; i < sizeof linked / sizeof linked[0]; ++i) {
    ToolRun one = run(1, TOOL("trace", "--", linked[i]));
    expect(one.err, "*trace_linked_* broke CALL-1:*(route+0x*\n1 error, 0 advice*");
    tool_free(&one);
  }
}

// --- Options -------------------------------------------------------------------------------------

TEST(checks_are_chosen)
{
  ToolRun fast =
      run(0, TOOL("trace", "--preset=fast", "--", BUGS_PROGRAM, REFERENCE, "wrong", "tensor_rank"));
  tool_free(&fast);
  ToolRun only = run(0, TOOL("trace", "--check=calls", "--", BUGS_PROGRAM, REFERENCE, "wrong",
                             "argument_padding"));
  tool_free(&only);
  ToolRun muted = run(0, TOOL("trace", "--mute=CALL-1", "--", BUGS_PROGRAM, REFERENCE, "wrong",
                              "argument_padding"));
  tool_free(&muted);
  ToolRun none = run(2, TOOL("trace", "--mute=CALL-999", "--", BUGS_PROGRAM, REFERENCE, "wrong"));
  expect(none.err, "*--mute=CALL-999 matches no check, group or clause of a check\n");
  tool_free(&none);
}

TEST(an_error_may_end_the_program)
{
  ToolRun stopped = run(1, TOOL("trace", "--on-error=stop", "--", BUGS_PROGRAM, REFERENCE, "wrong",
                                "argument_padding", "argument_bool"));
  ck_assert_str_eq(stopped.out, "");
  expect(stopped.err, "*1 error, *");
  tool_free(&stopped);
  ToolRun aborted = run(1, TOOL("trace", "--on-error=abort", "--", BUGS_PROGRAM, REFERENCE, "wrong",
                                "argument_bool"));
  expect(aborted.err, "*ended by signal 6, in a call\n*argument_bool*");
  tool_free(&aborted);
}

// --- The program ---------------------------------------------------------------------------------

TEST(a_program_without_a_call_is_told)
{
  ToolRun silent = run(4, TOOL("trace", "--", "/bin/sh", "-c", "exit 0"));
  expect(silent.err, "0 errors, 0 advice; 0 crossings in 1 process\n*no call was seen*");
  tool_free(&silent);
}

TEST(the_exit_code_is_that_of_the_program)
{
  ToolRun own =
      run(64, TOOL("trace", "--", "/bin/sh", "-c", BUGS_PROGRAM " " REFERENCE " right && exit 64"));
  ck_assert_str_eq(own.out, "end\n");
  tool_free(&own);
  ToolRun killed = run(
      137, TOOL("trace", "--", "/bin/sh", "-c", BUGS_PROGRAM " " REFERENCE " right && kill -9 $$"));
  tool_free(&killed);
}

TEST(a_program_that_is_not_there_is_a_mistake)
{
  ToolRun none = run(2, TOOL("trace", "--", "./no-such-program"));
  expect(none.err, "tvmffi-conform: cannot run ./no-such-program: No such file or directory\n");
  tool_free(&none);
}
