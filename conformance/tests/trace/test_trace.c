// SPDX-License-Identifier: Apache-2.0
// `trace`: planted mistakes and their right twins, and what becomes of the program's own output and
// exit code. The program finds its runtime with dlsym.
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

// Each mistake is found, and nothing but mistakes is; however calls are caught.
TEST(mistakes_are_found_and_blamed, .rows = 2)
{
  const char *mechanism = _i ? "--mechanism=preload" : "--mechanism=audit";
  const char *report = tool_path("bugs.jsonl");
  char option[256];
  snprintf(option, sizeof option, "--report=json:%s", report);
  ToolRun wrong = run(
      1, TOOL("trace", option, mechanism, "--preset=deep", "--", BUGS_PROGRAM, REFERENCE, "wrong"));
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
         "alive at the end: 42 of type Function (68), *\nprocess * calls of the C API*\n"
         "0 errors, 0 advice; * crossings in 1 process\n");
  tool_free(&right);
}

// The mistakes harm nobody where there is no layer: it does not find them by their consequences.
TEST(mistakes_are_silent_without_the_layer)
{
  ToolRun bare = run(0, (const char *const[]){BUGS_PROGRAM, REFERENCE, "wrong", NULL});
  ck_assert_str_eq(bare.out, "end\n");
  tool_free(&bare);
}

TEST(an_error_that_nobody_fetched_is_named)
{
  ToolRun told = run(0, TOOL("trace", "--", BUGS_PROGRAM, REFERENCE, "wrong", "error_overwritten"));
  expect(told.err,
         "*: an error is raised where another one was not fetched (ValueError: as planned)\n*");
  tool_free(&told);
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
  const char *path = tool_path("lines.sarif");
  char option[256];
  snprintf(option, sizeof option, "--report=sarif:%s", path);
  ToolRun saved = run(1, TOOL("trace", "--lines", option, "--", BUGS_PROGRAM, REFERENCE, "wrong",
                              "argument_padding"));
  char *sarif = tool_text(path);
  bool has_region = fnmatch("*\"uri\": \"*trace_bugs.c\"*\"startLine\": [1-9]*", sarif, 0) == 0;
  ck_assert_msg(has_region == (tool.exit_code == 0), "%s", strstr(sarif, "locations"));
  free(sarif);
  tool_free(&saved);
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

TEST(calls_in_unusual_places_are_checked, .rows = 4)
{
  static const char *const ways[][2] = {{"--preset=standard", "--mechanism=audit"},
                                        {"--preset=deep", "--mechanism=audit"},
                                        {"--preset=deep", "--mechanism=preload"},
                                        {"--preset=fast", "--mechanism=audit"}};
  ToolRun bare = run(5, (const char *const[]){EXTREMES_PROGRAM, REFERENCE, NULL});
  ck_assert_str_eq(bare.out, "end\n");
  ToolRun traced =
      run(1, TOOL("trace", ways[_i][0], ways[_i][1], "--", EXTREMES_PROGRAM, REFERENCE));
  ck_assert_str_eq(traced.out, "end\n");
  expect(traced.err,
         "error: trace_extremes broke CALL-1: *make_mistake*seen 4 times*\n1 error, 0 advice; *");
  tool_free(&traced);
  tool_free(&bare);
}

// Nothing of the layer is in the traceback of an error, whatever the layer does. The official runtime, where it
// is there, names the functions of a program that it does not export, too.
TEST(tracebacks_read_as_without_the_layer, .rows = 4)
{
  char record[256];
  snprintf(record, sizeof record, "--record=%s", tool_path("frames.rec"));
  const char *const ways[] = {"--preset=standard", "--preset=deep", record, "--mechanism=preload"};
  const bool is_official = access(OFFICIAL, R_OK) == 0;
  const char *runtime = is_official ? OFFICIAL : REFERENCE;
  ToolRun bare = run(0, (const char *const[]){HOSTILE_PROGRAM, runtime, "frames", NULL});
  if (is_official) expect(bare.out, "*tell_frames*--*call_in_place*--*print_frames*--*");
  ToolRun traced = run(0, TOOL("trace", ways[_i], "--", HOSTILE_PROGRAM, runtime, "frames"));
  ck_assert_str_eq(traced.out, bare.out);
  tool_free(&traced);
  tool_free(&bare);
}

TEST(what_is_alive_at_the_end_is_listed)
{
  ToolRun deep = run(0, TOOL("trace", "--preset=deep", "--", HOSTILE_PROGRAM, REFERENCE, "leaks"));
  expect(deep.err,
         "alive at the end: 5 of type Function (68), first seen from trace_hostile+0x* (leak*)\n"
         "process *\n0 errors, 0 advice; *");
  tool_free(&deep);
  ToolRun standard = run(0, TOOL("trace", "--", HOSTILE_PROGRAM, REFERENCE, "leaks"));
  ck_assert_msg(!strstr(standard.err, "alive"), "%s", standard.err);
  tool_free(&standard);
}

TEST(calls_of_many_threads_are_counted)
{
  ToolRun crowd = run(0, TOOL("trace", "--", HOSTILE_PROGRAM, REFERENCE, "crowd"));
  expect(crowd.err, "*: 4002 calls of the C API, 4000 of functions, *\n0 errors, 0 advice*");
  tool_free(&crowd);
}

// A runtime that hands on what it was given is not blamed, by whatever thread.
TEST(threads_without_a_place_are_blamed_once)
{
  ToolRun throng = run(1, TOOL("trace", "--", HOSTILE_PROGRAM, REFERENCE, "throng"));
  expect(throng.err, "error: trace_hostile broke CALL-1: *seen 150 times*\n1 error, 0 advice*");
  tool_free(&throng);
}

TEST(a_program_that_ends_in_a_call_leaves_its_report)
{
  ToolRun leaves = run_hostile("leaves", "--preset=standard");
  tool_free(&leaves);
  ToolRun exits = run(1, TOOL("trace", "--", HOSTILE_PROGRAM, REFERENCE, "exits"));
  expect(exits.err, "*broke CALL-36: information is asked for about the type index 1048576, *");
  tool_free(&exits);
  ToolRun overflows = run_hostile("overflows", "--preset=standard");
  expect(overflows.err, "*ended by signal 11, in a call\n*called from trace_hostile*overflow*");
  tool_free(&overflows);
}

TEST(a_report_that_cannot_be_written_is_told)
{
  ToolRun full =
      run(2, TOOL("trace", "--report=text:/dev/full", "--", BUGS_PROGRAM, REFERENCE, "right"));
  ck_assert_str_eq(full.out, "end\n");
  expect(full.err,
         "*cannot write the text report to /dev/full: No space left on device\n*\n0 errors, *");
  tool_free(&full);
  ToolRun record = run(2, TOOL("trace", "--record=/dev/full", "--", BUGS_PROGRAM, REFERENCE,
                               "wrong", "argument_bool"));
  expect(record.err, "*broke CALL-4: *\n1 error, *cannot write the recording to /dev/full: *");
  tool_free(&record);
}

// Nothing is killed by the limit, and nothing is left behind.
TEST(a_limit_of_files_is_told)
{
  ToolRun limited =
      run(2, (const char *const[]){"sh", "-c", "ulimit -f 8192; exec \"$@\"", "sh", TOOL_PROGRAM,
                                   "trace", "--", BUGS_PROGRAM, REFERENCE, "right", NULL});
  ck_assert_str_eq(limited.out, "");
  expect(limited.err, "*: cannot make a file of * bytes in /dev/shm or *: File too large\n");
  tool_free(&limited);
}

// --- Ways to reach a runtime ---------------------------------------------------------------------

#ifndef TRACE_ROUTE_RUST
#define TRACE_ROUTE_RUST NULL  // there is no compiler for it
#endif
static const char *const rust_route = TRACE_ROUTE_RUST;

// In all ways to catch calls: by LD_AUDIT, and by LD_PRELOAD alone.
TEST(every_way_to_reach_a_runtime_is_seen, .rows = 3)
{
  static const char *const callers[] = {"by_local_handle",  "by_deep_handle",  "by_namespace",
                                        "by_default",       "trace_route_now", "trace_route_noplt",
                                        "trace_route_lazy", "trace_route_rust"};
  const size_t caller_count = sizeof callers / sizeof callers[0] - (rust_route ? 0 : 1);
  static const char *const mechanisms[] = {"--mechanism=auto", "--mechanism=audit",
                                           "--mechanism=preload"};
  ToolRun routes = run(1, TOOL("trace", mechanisms[_i], "--limit=0", "--check=argument-padding",
                               "--", ROUTES_PROGRAM, REFERENCE, TRACE_ROUTE_LAZY, TRACE_ROUTE_NOW,
                               TRACE_ROUTE_NOPLT, rust_route));
  ck_assert_str_eq(routes.out, "end\n");
  for (size_t i = 0; i < caller_count; ++i)
    ck_assert_msg(strstr(routes.err, callers[i]), "%s is not seen: %.900s", callers[i], routes.err);
  char errors[40];
  snprintf(errors, sizeof errors, "*\n%zu errors, 0 advice*", caller_count);
  expect(routes.err, errors);
  bool preloads = strstr(routes.err, "watched by LD_PRELOAD, which does not see") != NULL;
  ck_assert_msg(preloads == (_i == 2), "%.900s", routes.err);
  tool_free(&routes);
  static const char *const linked[] = {TRACE_LINKED_LAZY, TRACE_LINKED_NOW, TRACE_LINKED_NOPLT};
  for (size_t i = 0; i < sizeof linked / sizeof linked[0]; ++i) {
    ToolRun one = run(1, TOOL("trace", mechanisms[_i], "--", linked[i]));
    expect(one.err, "*trace_linked_* broke CALL-1:*(route+0x*\n1 error, 0 advice*");
    tool_free(&one);
  }
}

// Where the loader takes no library for LD_AUDIT. (It does not look for one whose name is not given.)
TEST(what_is_preloaded_stands_in_for_an_audit_that_is_missing)
{
  static const char env[] = "unset LD_AUDIT; exec \"$@\"";
  ToolRun replaced = run(1, TOOL("trace", "--", "/bin/sh", "-c", env, "sh", BUGS_PROGRAM, REFERENCE,
                                 "wrong", "argument_padding"));
  expect(replaced.err, "*broke CALL-1*(trace_bugs)*watched by LD_PRELOAD*");
  tool_free(&replaced);
  ToolRun none = run(4, TOOL("trace", "--mechanism=audit", "--", "/bin/sh", "-c", env, "sh",
                             BUGS_PROGRAM, REFERENCE, "wrong", "argument_padding"));
  expect(none.err, "*; 0 crossings in *no call was seen*");
  tool_free(&none);
  ToolRun unused =
      run(0, TOOL("trace", "--mechanism=preload", "--", BUGS_PROGRAM, REFERENCE, "right"));
  ck_assert_str_eq(unused.out, "end\n");
  tool_free(&unused);
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

// The option for these waivers.
static const char *waivers_in(char option[256], const char *text)
{
  const char *path = tool_path("waivers.json");
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  snprintf(option, 256, "--waivers=%s", path);
  return option;
}

// What is known ends nothing, and what is not ends the program, whichever comes first.
TEST(known_findings_do_not_end_the_program, .rows = 2)
{
  static const char *const ways[] = {"--on-error=stop", "--on-error=abort"};
  char option[256];
  waivers_in(option,
             "{\"waivers\": [{\"check\": \"argument-padding\", \"symbol\": \"argument_padding\", "
             "\"reason\": \"as planned\"}]}");
  ToolRun known = run(0, TOOL("trace", option, ways[_i], "--", BUGS_PROGRAM, REFERENCE, "wrong",
                              "argument_padding"));
  ck_assert_str_eq(known.out, "end\n");
  expect(known.err, "*\n0 errors, 0 advice, 1 waived; *");
  tool_free(&known);
  ToolRun other = run(1, TOOL("trace", option, ways[_i], "--", BUGS_PROGRAM, REFERENCE, "wrong",
                              "argument_padding", "argument_bool"));
  ck_assert_str_eq(other.out, "");
  expect(other.err, "*\n1 error, 0 advice, 1 waived; *");
  tool_free(&other);
  waivers_in(option,
             "{\"waivers\": [{\"check\": \"argument-padding\", \"symbol\": \"other\", "
             "\"reason\": \"elsewhere\"}]}");
  ToolRun elsewhere = run(1, TOOL("trace", option, ways[_i], "--", BUGS_PROGRAM, REFERENCE, "wrong",
                                  "argument_padding"));
  ck_assert_str_eq(elsewhere.out, "");
  tool_free(&elsewhere);
}

static ToolRun run_waived(int exit_code, const char *text, const char *sarif)
{
  char waivers[256], report[256];
  waivers_in(waivers, text);
  snprintf(report, sizeof report, "--report=sarif:%s", sarif);
  return run(exit_code,
             TOOL("trace", waivers, "--lines", report, "--report=text:-", "--", BUGS_PROGRAM,
                  REFERENCE, "wrong", "argument_padding", "argument_bool"));
}

TEST(known_findings_do_not_fail)
{
  const char *sarif = tool_path("waived.sarif");
  ToolRun one =
      run_waived(1,
                 "{\"waivers\": [{\"check\": \"argument-padding\", \"library\": "
                 "\"trace_b*\", \"symbol\": \"argument_padding\", \"reason\": \"as planned\"}]}",
                 sarif);
  expect(one.out, "*waived: trace_bugs broke CALL-1:*\n    waived: as planned\n*");
  expect(one.out, "*\n1 error, 0 advice, 1 waived; *");
  tool_free(&one);
  char *text = tool_text(sarif);
  expect(text, "*\"suppressions\": [[]*\"external\"*\"as planned\"*");
  free(text);
  ToolRun both = run_waived(0,
                            "{\"waivers\": [{\"check\": \"argument-padding\", \"reason\": \"a\"},"
                            "{\"check\": \"argument-bool\", \"reason\": \"b\"},"
                            "{\"check\": \"call-code\", \"reason\": \"c\"}]}",
                            sarif);
  expect(both.out, "*\n0 errors, 0 advice, 2 waived; *\n1 waiver waived nothing\n*");
  tool_free(&both);
  ToolRun other = run_waived(1,
                             "{\"waivers\": [{\"check\": \"argument-padding\", \"library\": "
                             "\"libother.so\", \"reason\": \"elsewhere\"}]}",
                             sarif);
  expect(other.out, "*\n2 errors, 0 advice; *");
  tool_free(&other);
}

TEST(waivers_are_read_with_care, .rows = 5)
{
  static const char *const wrong[][2] = {
      {"{\"waivers\": [{\"check\": \"no-such\", \"reason\": \"r\"}]}",
       "*waivers.json: waivers[[]0].check is unknown: \"no-such\" (reports name checks)\n"},
      {"{\"waivers\": [{\"check\": \"call-code\"}]}",
       "*waivers[[]0] for call-code lacks \"reason\", why it may be found\n"},
      {"{\"waivers\": [{\"check\": \"call-code\", \"reason\": \"r\", \"expires\": \"2020-01-31\"}]}",
       "*waivers[[]0] for call-code expired on 2020-01-31 (*"},
      {"{\"waivers\": [{\"case\": \"error.x\", \"reason\": \"r\"}]}",
       "*waivers[[]0].case is unknown (known: check, library, symbol, reason, url, expires)\n"},
      {"[]", "*must be an object with one member, the list \"waivers\"\n"}};
  ToolRun refused = run_waived(2, wrong[_i][0], tool_path("refused.sarif"));
  expect(refused.err, wrong[_i][1]);
  ck_assert_str_eq(refused.out, "");
  tool_free(&refused);
}

// --- The program ---------------------------------------------------------------------------------

// A copy of a program whose loader has another name.
static void copy_with_loader(const char *program, const char *loader, const char *path)
{
  ToolRun copied = run(0, (const char *const[]){"cp", "-L", program, path, NULL});
  tool_free(&copied);
  char start[8192];
  FILE *file = fopen(path, "r+");
  size_t size = file ? fread(start, 1, sizeof start, file) : 0, length = strlen(loader) + 1;
  char *end = memmem(start, size, "/ld-linux-", 10), *name = end;
  while (name && name[-1]) --name;
  ck_assert(name && length <= (size_t)(end - name) + strlen(end) + 1);
  ck_assert(fseek(file, name - start, SEEK_SET) == 0);
  ck_assert(fwrite(loader, 1, length, file) == length && fclose(file) == 0);
}

static void write_script(const char *path, const char *interpreter, const char *text)
{
  FILE *file = fopen(path, "w");
  ck_assert(file && fprintf(file, "#!%s\n%s\n", interpreter, text) > 0 && fclose(file) == 0);
  ck_assert(chmod(path, 0755) == 0);
}

// As an executable and behind a script. It is not started.
TEST(programs_for_musl_are_told)
{
  const char *path = tool_path("for_musl"), *script = tool_path("for_musl.sh");
  copy_with_loader(BUGS_PROGRAM, "/lib64/ld-musl-x.so", path);
  write_script(script, path, "");
  const char *const programs[] = {path, script};
  for (size_t i = 0; i < 2; ++i) {
    ToolRun told = run(4, TOOL("trace", "--", programs[i], REFERENCE, "right"));
    ck_assert_str_eq(told.out, "");
    expect(told.err, "*: cannot watch the program: *for_musl was built for musl (its loader is *");
    tool_free(&told);
  }
}

// The layer's libraries are not among those that it is told to load, and all else is as it was; and
// with the layer, the other way round.
static void expect_started(const char *script, const char *rest, bool has_layer)
{
  const char *slash = strrchr(script, '/');
  ToolRun told = run(
      4,
      TOOL(
          "trace", "--", "/bin/sh", "-c",
          "export LD_PRELOAD=\"$LD_PRELOAD:libm.so.6\"; PATH=\"${1%/*}:$PATH\"; exec \"$0\" \"$@\"",
          STARTS_PROGRAM, script, slash + 1));
  const char *line = told.out;
  for (int i = 0; i < 10; ++i) {
    const char *end = strchr(line, '\n');
    ck_assert_msg(end, "%d lines: %s", i, told.out);
    ck_assert_msg(strncmp(line, "one two ", 8) == 0, "%s", line);
    ck_assert_msg(
        strncmp(line + 8, i == 1 || i == 2 || i == 5 || i == 6 ? "inherited" : "own", 3) == 0,
        "%d: %s", i, line);
    bool layer = memmem(line, (size_t)(end - line), "tvmffi", 6);
    ck_assert_msg(layer == has_layer, "%d: %s", i, line);
    ck_assert_msg(memmem(line, (size_t)(end - line), "libm.so.6", 9), "%d: %s", i, line);
    line = end + 1;
  }
  ck_assert_str_eq(line, "");
  expect(told.err, rest);
  tool_free(&told);
}

TEST(programs_that_cannot_take_the_layer_run_without_it)
{
  static const char text[] = "echo \"$1 $2 $WAY $LD_PRELOAD $LD_AUDIT\"";
  char loader[64];
  snprintf(loader, sizeof loader, "/tmp/ld-musl-%d", (int)getpid());
  const char *script = tool_path("started.sh"), *shell = tool_path("shell");
  write_script(script, "/bin/sh", text);
  expect_started(script, "0 errors, 0 advice; 0 crossings in 16 processes\n*no call was seen*",
                 true);
  ToolRun linked = run(
      0, (const char *const[]){"sh", "-c", "ln -sf /lib*/ld-linux-*.so.* \"$0\"", loader, NULL});
  copy_with_loader("/bin/sh", loader, shell);
  write_script(script, shell, text);
  expect_started(script, "*\n10 programs ran without the layer: built for musl\n*", false);
  unlink(loader);
  tool_free(&linked);
}

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
  static const char command[] = ">\"$0\"; cd \"${0%/*}\" && exec \"$1\" trace -- \"${0##*/}\"";
  ToolRun here = run(
      2, (const char *const[]){"sh", "-c", command, tool_path("traced.py"), TOOL_PROGRAM, NULL});
  expect(
      here.err,
      "*cannot run *-traced.py: No such file or directory in PATH (name the program that runs it, too)\n");
  tool_free(&here);
}
