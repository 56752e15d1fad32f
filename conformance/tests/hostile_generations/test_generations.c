// SPDX-License-Identifier: Apache-2.0
// The program against libraries of both generations of the ABI, and against those that say one
// thing of themselves and are another: it says what it saw, and judges nothing by the wrong rules.
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "run/generation.h"
#include "tests/tool/tool.h"
#include "unit/unit.h"

#define LIES(name) GENERATIONS_FOLDER "/" name ".so"
// Enough to tell the generations apart, and quick: layout, and counting.
#define SOME "--filter=layout.*", "--filter=object.*", "--filter=version.*"

static void expect_text(const char *text, const char *glob)
{
  ck_assert_msg(fnmatch(glob, text, 0) == 0, "it says\n%s\nand not %s", text, glob);
}

// --- What is told --------------------------------------------------------------------------------

typedef struct Row {
  const char *library;
  const char *abi;   // the option
  int exit_code;     // 3: refused
  const char *says;  // a glob over stdout, or over stderr where it is refused
} Row;

static const Row rows[] = {
    {REFERENCE, "--abi=auto", 0, "libtvm_ffi.so   runtime profile, ABI 0.1 (reports 0.1.*"},
    {REFERENCE, "--abi=0.1", 0, "*profile, ABI 0.1 (reports *" ALL_FUNCTIONS "*"},
    {REFERENCE_2025_09, "--abi=auto", 0,
     "libtvm_ffi.so   runtime profile, ABI 2025-09   39 of 39 functions*CONFORMS to TVM FFI ABI "
     "2025-09 (runtime)*"},
    {REFERENCE_2025_09, "--abi=2025-09", 0, "*profile, ABI 2025-09   39 of 39 functions*"},
    // A guess that is wrong.
    {REFERENCE, "--abi=2025-09", 3,
     "*cannot judge *: its ABI generation is not 2025-09, as --abi requires, but 0.1: "
     "exports TVMFFIGetVersion, and objects begin with one combined counter\nWithout --abi it is "
     "judged as its own.\n"},
    {REFERENCE_2025_09, "--abi=0.1", 3,
     "*cannot judge *: its ABI generation is not 0.1, as --abi requires, but 2025-09: "
     "exports TVMFFITraceback, and objects begin with their type index\n*"},
    // Mixtures.
    {LIES("new_names"), "--abi=auto", 3,
     "*cannot judge *: mixes two ABI generations: 0.1: exports TVMFFIGetVersion; "
     "2025-09: *objects begin with their type index\nUse --abi "
     "0.1 or --abi 2025-09 to judge it as one of them.\n"},
    {LIES("new_names"), "--abi=0.1", 1,
     "*profile, ABI 0.1 (reports 0.1.0)*FAIL  layout.header-begins-with-the-combined-counter*LAY-2"
     "*NOT CONFORMANT*"},
    {LIES("old_names"), "--abi=auto", 3,
     "*cannot judge *: mixes two ABI generations: 0.1: objects begin with one combined counter; "
     "2025-09: exports TVMFFITraceback\n*"},
    {LIES("old_names"), "--abi=2025-09", 1,
     "*profile, ABI 2025-09 *FAIL  layout.header-of-2025-09-begins-with-the-type-index*LAY-3*"
     "NOT CONFORMANT*"},
    {LIES("old_names"), "--abi=0.1", 1,
     "*profile, ABI 0.1 *FAIL  version.exports-get-version*VER-1*NOT CONFORMANT*"},
    {LIES("version_of_today"), "--abi=auto", 3,
     "*cannot judge *: mixes two ABI generations: 0.1: exports TVMFFIGetVersion; "
     "2025-09: exports TVMFFITraceback, and objects begin with "
     "their type index\n*"},
    {LIES("version_of_today"), "--abi=2025-09", 0, "*profile, ABI 2025-09   39 of 39 functions*"},
    // An older name besides is no mixture.
    {LIES("both_names"), "--abi=auto", 0, "*profile, ABI 0.1 (reports 0.1.*" ALL_FUNCTIONS "*"},
    // Versions. What is before the first one would leave nothing to judge by.
    {LIES("version_before_all"), "--abi=auto", 0,
     "*profile, ABI 0.1   " ALL_FUNCTIONS " *WARN  version.is-of-the-0-1-series*actual        0*"},
    {LIES("version_of_nobody"), "--abi=auto", 0,
     "*profile, ABI 0.1 (reports 7.0.3)   " ALL_FUNCTIONS "*WARN  version.is-of-the-0-1-series*"
     "\nCONFORMS to TVM FFI ABI 0.1 (runtime), *"},
    {LIES("version_too_high"), "--abi=auto", 0, "*(reports 0.1.15)   42 of 50 functions*"},
    // Modules.
    {MODULE_FILE, "--abi=2025-09", 3,
     "*cannot judge * (in its runtime): its ABI generation is not 2025-09, as --abi requires, "
     "but 0.1: *"},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

TEST_GROUP(generations, .timeout = 60);

TEST(the_generation_is_found_and_said, .rows = ROWS)
{
  const Row *row = &rows[_i];
  bool module = strcmp(row->library, MODULE_FILE) == 0;
  ToolRun run = module ? tool_run(NULL, TOOL("run", row->library, row->abi))
                       : tool_run(NULL, TOOL("run", row->library, row->abi, SOME, "-v"));
  ck_assert_msg(run.exit_code == row->exit_code, "%s %s: exit code %d\n%s%s", row->library,
                row->abi, run.exit_code, run.out, run.err);
  expect_text(row->exit_code == 3 ? run.err : run.out, row->says);
  tool_free(&run);
}

// A runtime of the older generation is no place for a module of today.
TEST(modules_need_a_runtime_of_today)
{
  ToolRun run = tool_run(NULL, TOOL("run", MODULE_FILE, "--runtime", REFERENCE_2025_09));
  ck_assert_int_eq(run.exit_code, 3);
  expect_text(
      run.err,
      "*cannot judge * (in its runtime): its ABI generation is 2025-09, and modules need one of "
      "0.1\n");
  tool_free(&run);
}

// A version that promises more than there is: that is not "not applicable".
TEST(missing_functions_of_the_reported_version_fail)
{
  ToolRun run = tool_run(NULL, TOOL("run", LIES("version_too_high")));
  ck_assert_int_eq(run.exit_code, 1);
  expect_text(run.out, "*FAIL  once.*ONCE-1\n*NOT CONFORMANT*");
  tool_free(&run);
}

// --- What the report says ------------------------------------------------------------------------

TEST(the_report_says_the_generation)
{
  const char *path = tool_path("generation.json");
  char option[600];
  snprintf(option, sizeof option, "--report=json:%s", path);
  ToolRun run = tool_run(NULL, TOOL("run", REFERENCE_2025_09, option));
  ck_assert_int_eq(run.exit_code, 0);
  json_t *report = tool_json(path), *library = json_object_get(report, "library");
  ck_assert_str_eq(json_string_value(json_object_get(library, "generation")), "2025-09");
  ck_assert(json_is_null(json_object_get(library, "reported_version")));
  json_t *functions = json_object_get(library, "functions");
  ck_assert_int_eq(json_integer_value(json_object_get(functions, "present")), 39);
  ck_assert_int_eq(json_integer_value(json_object_get(functions, "known")), 39);
  // What holds there is judged, and all the rest has a reason.
  ck_assert_uint_ge(tool_count(report, "", "pass"), 980);
  ck_assert_uint_eq(tool_count(report, "", "pass") + tool_count(report, "", "skip"),
                    tool_count(report, "", NULL));
  ck_assert_str_eq(
      tool_case_text(report, "layout.header-of-2025-09-begins-with-the-type-index.string",
                     "verdict"),
      "pass");
  ck_assert_str_eq(tool_case_text(report, "version.stays-the-same", "reason"),
                   "generation 0.1 only: added in version 0.1.0");
  json_decref(report);
  tool_free(&run);
}

// `repro` finds the generation as `run` does.
// The other verbs that load a runtime tell a mixture, too, and take older ones as what they are.
TEST(other_verbs_find_the_generation_as_well)
{
  static const struct {
    const char *words[5];
    int exit_code;
    const char *says;  // a glob over stdout and stderr
  } calls[] = {
      {{"bench", LIES("new_names"), "--rounds=1"},
       3,
       "*cannot measure *new_names.so: mixes two ABI generations: 0.1: exports TVMFFIGetVersion; "
       "2025-09: *type index\n"},
      {{"bench", REFERENCE, "--against", LIES("old_names"), "--rounds=1"},
       3,
       "*cannot measure *old_names.so: mixes two ABI generations: *"},
      {{"bench", REFERENCE_2025_09, "--rounds=1"}, 0, "*libtvm_ffi.so (reports no version)\n*"},
      {{"fuzz", LIES("new_names"), "--runs=100", "-q"},
       3,
       "*cannot judge *new_names.so: mixes two ABI generations: *Use --abi 0.1 or --abi "
       "2025-09 to judge it as one of them.\n"},
      {{"fuzz", LIES("new_names"), "--runs=100", "--abi=2025-09"}, 0, "* 0 findings*"},
      {{"fuzz", REFERENCE_2025_09, "--runs=100", "--abi=0.1"},
       3,
       "*cannot judge *: its ABI generation is not 0.1, as --abi requires, but 2025-09: *"},
  };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
    const char *const *words = calls[i].words;
    ToolRun run =
        tool_run(NULL, TOOL(words[0], words[1], words[2], words[3], words[3] ? words[4] : NULL));
    ck_assert_msg(run.exit_code == calls[i].exit_code, "%s %s: exit code %d\n%s", words[0],
                  words[1], run.exit_code, run.err);
    const char *text = calls[i].exit_code ? run.err : run.out;
    ck_assert_msg(fnmatch(calls[i].says, text, 0) == 0, "%s says\n%.1000s", words[1], text);
    tool_free(&run);
  }
}

TEST(one_case_is_run_in_the_generation_of_the_library)
{
  ToolRun run =
      tool_run(NULL, TOOL("repro", "layout.header-of-2025-09-begins-with-the-type-index.error",
                          REFERENCE_2025_09));
  ck_assert_int_eq(run.exit_code, 0);
  expect_text(run.out, "*.error: * expectations held, 0 did not\n");
  tool_free(&run);
}

// What --abi forced is forced again by the command that the report names, and shows the same.
TEST(the_command_that_is_named_forces_the_generation, .rows = 2)
{
  static const char *const forced[][2] = {{LIES("new_names"), "0.1"},
                                          {LIES("old_names"), "2025-09"}};
  const char *library = forced[_i][0], *abi = forced[_i][1];
  char option[32], id[128], seen[256];
  snprintf(option, sizeof option, "--abi=%s", abi);
  ToolRun run = tool_run(NULL, TOOL("run", library, option, "--filter=layout.header-names-*"));
  ck_assert_int_eq(run.exit_code, 1);
  snprintf(seen, sizeof seen, "*repro layout.header-* %s --abi %s\n*", library, abi);
  expect_text(run.out, seen);
  ToolRun again = tool_again(run.out);
  expect_text(again.out, "FAIL  *actual  *expectations held, [1-9]* did not\n");
  snprintf(seen, sizeof seen, "gdb --args *worker --repro=%s layout.header-* %s\n*", abi, library);
  expect_text(again.err, seen);
  const char *named = strstr(run.out, " repro ") + 7;
  snprintf(id, sizeof id, "%.*s", (int)strcspn(named, " "), named);
  tool_free(&again);
  tool_free(&run);
  // Without a word about it the case does not see what it saw.
  run = tool_run(NULL, TOOL("repro", id, library));
  ck_assert_ptr_null(strstr(run.out, "FAIL  "));
  tool_free(&run);
}

TEST(a_wrong_generation_is_refused_for_one_case_too)
{
  const char *id = "layout.header-of-2025-09-begins-with-the-type-index.error";
  ToolRun run = tool_run(NULL, TOOL("repro", id, REFERENCE, "--abi", "2025-09"));
  ck_assert_int_eq(run.exit_code, 3);
  expect_text(run.err, "*cannot judge *: its ABI generation is not 2025-09, as --abi *");
  tool_free(&run);
  run = tool_run(NULL, TOOL("repro", "load.symbols-resolve", MODULE_FILE, "--abi", "2025-09"));
  ck_assert_int_eq(run.exit_code, 3);
  expect_text(run.err, "*cannot judge * (in its runtime): *");
  tool_free(&run);
}

// `inspect` knows it by its names alone, and does not take it for half a runtime of today.
TEST(a_file_of_the_older_generation_is_known)
{
  ToolRun run = tool_run(NULL, TOOL("inspect", REFERENCE_2025_09));
  ck_assert_int_eq(run.exit_code, 0);
  expect_text(run.out,
              "*exports       39 of the 39 functions of the C API in September 2025\n*WARN  "
              "runtime.generation-2025-09 *39 of the 39 functions*");
  ck_assert_ptr_null(strstr(run.out, "runtime.incomplete"));
  ck_assert_ptr_null(strstr(run.out, "runtime.unknown-function"));
  tool_free(&run);
  run = tool_run(NULL, TOOL("inspect", LIES("both_names")));
  ck_assert_ptr_null(strstr(run.out, "runtime.generation-2025-09"));
  ck_assert_ptr_nonnull(strstr(run.out, "runtime.unknown-function"));
  tool_free(&run);
}

// --- How it is decided ---------------------------------------------------------------------------

enum { NONE = 0, TODAY = 1, FORMER = 2, BOTH = 3 };

static const struct {
  unsigned names, objects;
  const char *wanted;
  int decision;  // AbiGeneration, or -1: refused
} decisions[] = {
    {TODAY, TODAY, "auto", 0},     {FORMER, FORMER, "auto", 1},    {NONE, NONE, "auto", 0},
    {NONE, TODAY, "auto", 0},      {NONE, FORMER, "auto", 1},      {TODAY, NONE, "auto", 0},
    {FORMER, NONE, "auto", 1},     {BOTH, TODAY, "auto", 0},       {BOTH, FORMER, "auto", 1},
    {BOTH, NONE, "auto", -1},      {TODAY, FORMER, "auto", -1},    {FORMER, TODAY, "auto", -1},
    {TODAY, TODAY, "2025-09", -1}, {FORMER, FORMER, "0.1", -1},    {NONE, TODAY, "2025-09", -1},
    {FORMER, NONE, "0.1", -1},     {BOTH, FORMER, "0.1", -1},      {NONE, NONE, "2025-09", 1},
    {TODAY, FORMER, "0.1", 0},     {TODAY, FORMER, "2025-09", 1},  {BOTH, NONE, "2025-09", 1},
    {TODAY, TODAY, "0.1", 0},      {FORMER, FORMER, "2025-09", 1},
};
enum { DECISIONS = sizeof decisions / sizeof decisions[0] };

TEST(names_and_objects_decide, .rows = DECISIONS)
{
  InspectReport library = {0};
  library.exports[FN_ObjectIncRef] = true;  // which both generations have
  library.exports[FN_EnvTensorAlloc] = decisions[_i].names & TODAY;
  library.former_exports[FN_Backtrace] = (decisions[_i].names & FORMER) != 0;
  ck_assert_uint_eq(generation_of_names(&library), decisions[_i].names);
  AbiGeneration generation = (AbiGeneration)77;
  char why[1024] = "";
  bool decided = generation_decide(decisions[_i].wanted, &library, decisions[_i].objects,
                                   &generation, why, sizeof why);
  ck_assert_int_eq(decided, decisions[_i].decision >= 0);
  ck_assert_int_eq((int)generation, decided ? decisions[_i].decision : 77);
  ck_assert_int_eq(decided, why[0] == '\0');
}
