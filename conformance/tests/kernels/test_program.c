// SPDX-License-Identifier: Apache-2.0
// Takes the program of a failed call out of a report, compiles it without a warning, runs it, and
// looks whether the failure is seen there too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

typedef struct Failing {
  const char *kernel, *signatures, *id;
  const char *in_program;  // part of the program
  int signal;              // that the program ends by; 0: it ends well
  const char *seen;        // part of what it prints
  const char *not_seen;    // what it does not print, or NULL
} Failing;

#define RIGHT_OUTPUT "argument 1: 2 3 4 5 6\n"

static const Failing failing[] = {
    {"add_one_offset", "add_one", "buffer.byte-offset.256-bytes@add_one", "s0, r0, 256}", 0,
     "returned 0\n", RIGHT_OUTPUT},
    {"add_one_strides", "add_one", "buffer.strides.negative@add_one", "(int64_t[]){-1}", 0,
     "returned 0\n", RIGHT_OUTPUT},
    {"add_one_adds_two", "add_one", "kernel.outcome-is-as-promised@add_one", "fenced(values", 0,
     "argument 1: 3 4 5 6 7\n", RIGHT_OUTPUT},
    {"add_one_type", "add_one", "argument.wrong-plain-value.int@add_one", ".v_int64 = 8022876", 11,
     "the call begins\n", "returned"},
    {"add_one_too_far", "add_one", "buffer.nothing-behind.last-element@add_one", "guarded(NULL", 11,
     "the call begins\n", "returned"},
    {"add_one_device", "add_one", "buffer.wrong-device.cuda@add_one", "nowhere(", 11,
     "the call begins\n", "returned"},
    {"add_one_silent", "add_one", "kernel.refusal-raises-an-error@add_one", "fenced(values", 0,
     "returned -1\nno error raised\n", NULL},
    {"add_one_wordless", "add_one", "kernel.error-says-something@add_one", "fenced(values", 0,
     "returned -1\nraised TypeError: \n", NULL},
    {"add_one_many", "add_one", "kernel.arity-thousand@add_one", "values[1000]", 0, "returned 0\n",
     NULL},
    {"spell_no_small_bytes", "spell_no_small", "argument.bytes-spellings.small@spell",
     ".small_str_len = 7", 0, "raised TypeError: b has to be bytes", NULL},
    {"spell_borrows_rvalue", "spell", "argument.rvalue-reference@spell", "object(65", 0,
     "returned 0\n", NULL},
    {"give_padding", "give", "kernel.result-padding-is-zero@give", ".v_int64 = 3", 0,
     "returned 0\n", "padding 0x0,"},
};

// The program of the case (own).
static char *program_of(const Failing *row, const char *module)
{
  char request[600], signatures[600], filter[200];
  const char *report = tool_path("report.json");
  snprintf(request, sizeof request, "json:%s", report);
  snprintf(signatures, sizeof signatures, "%s/%s.json", KERNELS, row->signatures);
  snprintf(filter, sizeof filter, "%s", row->id);
  ToolRun run =
      tool_run(&(ToolSetup){.limit = 60}, TOOL("run", module, "--strict", "--report", request,
                                               "--signatures", signatures, "--filter", filter));
  ck_assert_msg(run.exit_code == 1, "exit code %d:\n%s%s", run.exit_code, run.out, run.err);
  ck_assert_msg(strstr(run.out, "have the call as a C program"), "no hint:\n%s", run.out);
  json_t *json = tool_json(report);
  char *program = strdup(tool_case_text(json, row->id, "program"));
  ck_assert_msg(*program, "there is no program in:\n%s", run.out);
  json_decref(json);
  remove(report);
  tool_free(&run);
  return program;
}

static void compile(const char *program, char path[512])
{
  char source[512];
  snprintf(source, sizeof source, "%s", tool_path("call.c"));
  snprintf(path, 512, "%s", tool_path("call"));
  FILE *file = fopen(source, "w");
  ck_assert_msg(file && fputs(program, file) >= 0 && fclose(file) == 0, "%s", source);
  ToolRun run = tool_run(&(ToolSetup){.limit = 60},
                         (const char *const[]){COMPILER, "-O1", "-Wall", "-Wextra", "-Werror", "-I",
                                               HEADERS, "-I", DLPACK, source, "-o", path, NULL});
  ck_assert_msg(run.exit_code == 0, "%s%s\n%s", run.out, run.err, program);
  tool_free(&run);
  remove(source);
}

TEST_GROUP(program, .timeout = 90);

TEST(the_program_fails_as_the_case_did, .rows = ROWS(failing))
{
  const Failing *row = &failing[_i];
  char module[600], path[512];
  snprintf(module, sizeof module, "%s/%s.so", MODULES, row->kernel);
  char *program = program_of(row, module);
  ck_assert_msg(strstr(program, row->in_program), "no \"%s\" in\n%s", row->in_program, program);
  compile(program, path);
  ToolRun run = tool_run(&(ToolSetup){0}, (const char *const[]){path, module, REFERENCE, NULL});
  ck_assert_msg(run.signal == row->signal, "signal %d, exit code %d: %s%s\n%s", run.signal,
                run.exit_code, run.out, run.err, program);
  ck_assert_msg(row->signal || run.exit_code == 0, "exit code %d: %s", run.exit_code, run.err);
  ck_assert_msg(strstr(run.out, row->seen), "no \"%s\" in:\n%s", row->seen, run.out);
  ck_assert_msg(!row->not_seen || !strstr(run.out, row->not_seen), "\"%s\" in:\n%s", row->not_seen,
                run.out);
  tool_free(&run);
  remove(path);
  free(program);
}

// A debugger's run prints it as well, after a crash too; so does -v.
TEST(repro_prints_the_program, .rows = 2)
{
  static const char *const verbs[][2] = {
      {"argument.wrong-plain-value.int@add_one", "add_one_type"},
      {"kernel.error-says-something@add_one", "add_one_wordless"}};
  char module[600];
  snprintf(module, sizeof module, "%s/%s.so", MODULES, verbs[_i][1]);
  ToolRun run = tool_run(&(ToolSetup){0}, TOOL("repro", verbs[_i][0], module, "--signatures",
                                               KERNELS "/add_one.json"));
  ck_assert_msg(strstr(run.out, "\nint main(int argc, char **argv)\n"), "%s%s", run.out, run.err);
  ck_assert_int_eq(run.signal, _i == 0 ? 11 : 0);
  tool_free(&run);
  run = tool_run(&(ToolSetup){0}, TOOL("run", module, "-v", "--filter", verbs[_i][0],
                                       "--signatures", KERNELS "/add_one.json"));
  ck_assert_msg(strstr(run.out, "| int main(int argc, char **argv)\n"), "%s", run.out);
  tool_free(&run);
}

// The command that the report names has what the module was called by.
TEST(the_command_that_is_named_shows_the_same)
{
  char module[600];
  snprintf(module, sizeof module, "%s/add_one_adds_two.so", MODULES);
  ToolRun run = tool_run(&(ToolSetup){0},
                         TOOL("run", module, "--filter", "kernel.outcome-*", "--signatures",
                              KERNELS "/add_one.json", "--runtime", REFERENCE, "--color=never"));
  ck_assert_int_eq(run.exit_code, 1);
  ToolRun again = tool_again(run.out);
  ck_assert_msg(strstr(again.out,
                       "element 0: 2, within 0.0001 of it\n"
                       "      actual        3; 5 of 5 elements differ\n"),
                "%.900s", again.out);
  tool_free(&again);
  tool_free(&run);
}
