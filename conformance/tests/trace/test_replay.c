// SPDX-License-Identifier: Apache-2.0
// `trace --record` and `replay`: what a program did, done again on its own runtime and on others.
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

TEST_GROUP(replay, .timeout = 120);

static void expect(const char *text, const char *glob)
{
  ck_assert_msg(fnmatch(glob, text, 0) == 0, "not \"%s\":\n%s", glob, text);
}

// The recording of the program with this word, or of all that it always does.
static const char *record(const char *word, int exit_code)
{
  const char *path = tool_path("program.rec");
  ToolRun run =
      tool_run(NULL, TOOL("trace", "--record", path, "--", RECORDED_PROGRAM, REFERENCE, word));
  ck_assert_msg(run.exit_code == exit_code, "%d: %s", run.exit_code, run.err);
  expect(run.err, "*\nrecorded * events (* bytes) in *program.rec\n");
  tool_free(&run);
  return path;
}

static ToolRun replay(const char *path, const char *library, int exit_code)
{
  ToolRun run = tool_run(NULL, TOOL("replay", path, library));
  ck_assert_msg(run.exit_code == exit_code, "%d: %s%s", run.exit_code, run.out, run.err);
  return run;
}

TEST(its_own_runtime_does_the_same)
{
  ToolRun run = replay(record("", 0), REFERENCE, 0);
  expect(run.out, "*: SAME: * calls replayed, 0 differ; 0 could not be replayed\n");
  ck_assert_msg(!strstr(run.out, "differs:"), "%s", run.out);
  ToolRun again = replay(record("", 0), REFERENCE, 0);
  ck_assert_str_eq(again.out, run.out);
  tool_free(&run);
  tool_free(&again);
}

typedef struct Broken {
  const char *mutant, *said;
} Broken;

// Of each kind of thing that is compared, a runtime that does it otherwise.
static const Broken broken[] = {
    {"fun_12_none_becomes_zero",
     "differs: event *: a function of the program(tensor(3; type 2:32; *))\n    recorded    None\n"
     "    came back   0\n*: DIFFERENT: * calls replayed, 3 differ; 0 could not be replayed\n"},
    {"fun_24_any_case",
     "differs: event *: TVMFFIFunctionGetGlobal(\"ffi.Array\", 0, ffi.Array)\n"
     "    recorded    a function\n    came back   nothing\n*: DIFFERENT: *"},
    {"err_22_no_data_refused",
     "differs: event *: recorded.add_one(\"no number\")\n"
     "    recorded    TypeError: takes a number\n    came back   *\n*: DIFFERENT: *"},
    {"fun_4_self_only_with_deleter",
     "differs: event *: crashed with SIGSEGV\n    recorded     * call *\n*: DIFFERENT: *"},
};

TEST(other_runtimes_differ, .rows = ROWS(broken))
{
  char library[512];
  snprintf(library, sizeof library, "%s/%s.so", MUTANTS, broken[_i].mutant);
  ToolRun run = replay(record("", 0), library, 1);
  expect(run.out, broken[_i].said);
  tool_free(&run);
}

// One that lists a name twice: in what order, and how many, is a runtime's own, which is told.
TEST(what_is_the_runtimes_own_is_told_apart)
{
  ToolRun run = replay(record("", 0), MUTANTS "/reg_6_first_name_twice.so", 0);
  expect(
      run.out,
      "differs for a known reason: event *: ffi.FunctionListGlobalNamesFunctor()(-1)\n"
      "    recorded    *\n    came back   *\n    reason      which functions are registered, *\n"
      "*: SAME: * calls replayed, 0 differ, * more for known reasons; 0 could not be replayed\n");
  tool_free(&run);
}

// The environment is as it was, and addresses in texts are not compared.
TEST(addresses_are_told_apart)
{
  ToolRun run = replay(record("own", 0), REFERENCE, 0);
  expect(
      run.out,
      "differs for a known reason: event *: ffi.ReprPrint(*)\n    recorded    \"(5,)@0x*\"\n"
      "    came back   \"(5,)@0x*\"\n    reason      the texts differ in addresses only\n"
      "*: SAME: * calls replayed, 0 differ, 1 more for known reasons; 0 could not be replayed\n");
  tool_free(&run);
}

// Each is played apart, with its own names and objects.
TEST(two_runtimes_in_a_process_are_told_apart)
{
  const char *path = record("two", 0);
  ToolRun run = replay(path, REFERENCE, 0);
  expect(run.out, "*: SAME: * calls replayed, 0 differ; 0 could not be replayed\n");
  tool_free(&run);
  run = tool_run(NULL, TOOL("replay", path));
  expect(run.out,
         "* 0/1.* FunctionSetGlobal \"recorded.add_one\" 0 0 function #* of the program\n*");
  tool_free(&run);
}

TEST(what_cannot_be_replayed_is_said)
{
  ToolRun run = replay(record("pointer", 0), REFERENCE, 0);
  expect(run.out,
         "could not be replayed, 1 time: it takes a pointer of the program\n"
         "    first       event *: a function of the program(a pointer)\n"
         "*: SAME: * calls replayed, 0 differ; 1 could not be replayed\n");
  tool_free(&run);
}

// What such a call would have changed is not held against the runtime.
TEST(objects_that_a_lost_call_took_are_excused)
{
  ToolRun run = replay(record("list", 0), REFERENCE, 0);
  expect(
      run.out,
      "differs for a known reason: event *: ffi.ListSize(an object of type List (75))\n"
      "    recorded    1\n    came back   0\n"
      "    reason      a call before it that took the object was not replayed\n"
      "could not be replayed, 1 time: it takes a pointer of the program\n*"
      "*: SAME: * calls replayed, 0 differ, 1 more for known reasons; 1 could not be replayed\n");
  tool_free(&run);
}

TEST(children_are_left_out)
{
  ToolRun run = replay(record("fork", 0), REFERENCE, 0);
  expect(run.out,
         "could not be replayed: 1 process that others were forked into\n*: SAME: * calls*\n");
  tool_free(&run);
}

// What was recorded until then is there.
TEST(programs_that_crash_leave_a_recording)
{
  ToolRun run = replay(record("crash", 128 + 6), REFERENCE, 0);
  expect(run.out, "*: SAME: * calls replayed, 0 differ; 0 could not be replayed\n");
  tool_free(&run);
}

// A recording in which the field was 3, and not 2, after it was written.
TEST(fields_of_objects_are_compared)
{
  static const char written[] = "kind\1\0\0\0\0\0\0\0\0\1\2";
  const char *path = record("", 0);
  FILE *file = fopen(path, "r+");
  char *bytes = malloc(1 << 20), *last = NULL;
  size_t size = fread(bytes, 1, 1 << 20, file);
  for (char *at = bytes; (at = memmem(at, size - (size_t)(at - bytes), written, 15)); ++at)
    last = at;
  ck_assert(last && fseek(file, last + 14 - bytes, SEEK_SET) == 0);
  ck_assert(fputc(3, file) == 3 && fclose(file) == 0);
  free(bytes);
  ToolRun run = replay(path, REFERENCE, 1);
  expect(
      run.out,
      "differs: event *: read a field of an object of type ffi.reflection.AccessStep(\"kind\", 0, 3)\n"
      "    recorded    3\n    came back   2\n"
      "*: DIFFERENT: * calls replayed, 1 differ; 0 could not be replayed\n");
  tool_free(&run);
}

// Modules are loaded again; what they wrote is compared.
TEST(modules_are_called_again)
{
  ToolRun run = tool_run(NULL, TOOL("replay", "--sandbox=off", record(MODULE, 0), REFERENCE));
  ck_assert_msg(run.exit_code == 0, "%s%s", run.out, run.err);
  expect(run.out, "*: SAME: * calls replayed, 0 differ; 0 could not be replayed\n");
  tool_free(&run);
}

TEST(recorded_calls_of_modules_become_signatures)
{
  const char *path = record(MODULE, 0);
  ToolRun made = tool_run(NULL, TOOL("signatures", "--from", path, MODULE));
  ck_assert_msg(made.exit_code == 0, "%s%s", made.out, made.err);
  ck_assert_str_eq(
      made.out,
      "{\n  \"functions\": {\n    \"native\": {\n"
      "      \"text\": \"as 1 recorded call had it\",\n      \"tentative\": true,\n"
      "      \"parameters\": []\n    },\n    \"scale\": {\n"
      "      \"text\": \"as 2 recorded calls had it\",\n      \"tentative\": true,\n"
      "      \"parameters\": [\n        {\n          \"name\": \"p0\",\n"
      "          \"kind\": \"tensor\",\n          \"dtype\": \"float32\",\n"
      "          \"shape\": \"s0\"\n        },\n        {\n          \"name\": \"p1\",\n"
      "          \"kind\": \"tensor\",\n          \"dtype\": \"float32\",\n"
      "          \"shape\": \"s0\",\n          \"role\": \"out\"\n        },\n        {\n"
      "          \"name\": \"p2\",\n          \"kind\": \"int\",\n          \"value\": 3\n"
      "        }\n      ],\n      \"sizes\": {\n        \"s0\": [\n          4,\n"
      "          3\n        ]\n      }\n    }\n  }\n}\n");
  const char *file = tool_path("recorded.json");
  FILE *out = fopen(file, "w");
  ck_assert(out && fputs(made.out, out) >= 0 && fclose(out) == 0);
  ToolRun run = tool_run(NULL, TOOL("run", "--signatures", file, "--filter", "KER-11", MODULE));
  ck_assert_msg(run.exit_code == 5, "%s%s", run.out, run.err);  // nothing rests on it
  tool_free(&run);
  tool_free(&made);
}

TEST(modules_that_were_not_called_have_no_signatures)
{
  ToolRun run = tool_run(NULL, TOOL("signatures", "--from", record("", 0), MODULE));
  ck_assert_int_eq(run.exit_code, 5);
  expect(run.err, "*: its functions were not called in the recording\n");
  tool_free(&run);
}

// The schema is looked at by conformance.trace.reports.
TEST(what_came_of_it_can_be_had_as_json)
{
  const char *report = tool_path("replay.json");
  char option[256], library[512];
  snprintf(option, sizeof option, "--report=json:%s", report);
  snprintf(library, sizeof library, "%s/fun_24_any_case.so", MUTANTS);
  ToolRun run = tool_run(NULL, TOOL("replay", option, record("pointer", 0), library));
  ck_assert_msg(run.exit_code == 1, "%s%s", run.out, run.err);
  json_error_t error;
  json_t *root = json_load_file(report, 0, &error), *counts = json_object_get(root, "counts");
  json_t *first = json_array_get(json_object_get(root, "differences"), 0);
  json_t *lost = json_object_get(root, "not_replayed"), *pointer = NULL, *reason;
  size_t index;
  json_array_foreach(lost, index,
                     reason) if (strcmp(json_string_value(json_object_get(reason, "reason")),
                                        "it takes a pointer of the program") == 0) pointer = reason;
  ck_assert_str_eq(json_string_value(json_object_get(root, "standing")), "different");
  ck_assert_str_eq(json_string_value(json_object_get(first, "class")), "missing");
  ck_assert_str_eq(json_string_value(json_object_get(first, "came_back")), "nothing");
  ck_assert(json_is_null(json_object_get(first, "reason")));
  ck_assert_int_eq(json_integer_value(json_object_get(pointer, "count")), 1);
  json_int_t missing =
      json_integer_value(json_object_get(json_object_get(counts, "differ_by_class"), "missing"));
  ck_assert_int_ge(missing, 1);
  json_decref(root);
  tool_free(&run);
}

TEST(recordings_can_be_printed)
{
  ToolRun run = tool_run(NULL, TOOL("replay", record("", 0)));
  ck_assert_int_eq(run.exit_code, 0);
  expect(run.out,
         "*FunctionSetGlobal \"recorded.add_one\" 0 0 function #* of the program\n*"
         "* call function #* of the program 41\n*  back function #* of the program 41\n*"
         "  end 0 42 None\n* end 0 42 None\n*");
  tool_free(&run);
}

TEST(other_files_are_refused)
{
  ToolRun run = replay(RECORDED_PROGRAM, REFERENCE, 2);
  expect(run.err, "*: is not a recording *\n");
  tool_free(&run);
}

TEST(what_replay_needs_has_to_be_there)
{
  ToolRun run = replay(record("", 0), MUTANTS "/any_3_missing.so", 3);
  expect(run.err, "*any_3_missing.so: has no TVMFFIAnyViewToOwnedAny, which replay needs\n");
  tool_free(&run);
}

TEST(modules_are_no_runtimes)
{
  ToolRun run = replay(record("", 0), RECORDED_PROGRAM, 3);
  tool_free(&run);
}
