// SPDX-License-Identifier: Apache-2.0
// The program against libraries built with a sanitizer: it finds the sanitizer's runtime by itself,
// a sound library passes, and what the sanitizer finds fails the case in which it was found.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

enum { SKIPPED = 77 };

static const char victim[] = "string.short-text-is-small.length-3";

static const char *library(const char *name)
{
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s.so", SANITIZED_FOLDER, name);
  return path;
}

static const char *const sound[] = {"address_none", "thread_none", "undefined_none"};
enum { SOUND = sizeof sound / sizeof sound[0] };

TEST_GROUP(sanitized, .timeout = 120);

TEST(a_sound_library_passes, .rows = SOUND)
{
  const char *path = library(sound[_i]), *report_path = tool_path("sound.json");
  char report_option[600];
  if (access(path, R_OK) != 0) return;
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  ToolRun run = tool_run(NULL, TOOL("run", path, "--strict", "--filter", "string.*", "--filter",
                                    "function.*", "--filter", "object.*", report_option));
  ck_assert_msg(run.exit_code == 0, "%s: exit code %d\n%s%s", path, run.exit_code, run.out,
                run.err);
  ck_assert_uint_eq(run.left_behind, 0);
  json_t *report = tool_json(report_path);
  json_t *sanitizers = json_object_get(json_object_get(report, "library"), "sanitizers");
  ck_assert_uint_eq(json_array_size(sanitizers), 1);
  const char *name = json_string_value(json_array_get(sanitizers, 0));
  ck_assert_msg(strncmp(sound[_i], name, strlen(name)) == 0, "%s is said to be of %s", sound[_i],
                name);
  // Threads that the sanitizer starts are no reason to load the library for every case.
  ck_assert_str_eq(json_string_value(json_object_get(report, "isolation")), "fork");
  json_decref(report);
  tool_free(&run);
}

typedef struct Finding {
  const char *library, *text;
} Finding;

static const Finding findings[] = {
    {"address_heap_overflow", "AddressSanitizer: heap-buffer-overflow"},
    {"address_use_after_free", "AddressSanitizer: heap-use-after-free"},
    {"thread_data_race", "ThreadSanitizer: data race"},
    {"undefined_undefined", "runtime error: signed integer overflow"},
};
enum { FINDINGS = sizeof findings / sizeof findings[0] };

TEST(a_finding_fails_its_case, .rows = FINDINGS)
{
  const Finding *finding = &findings[_i];
  const char *path = library(finding->library), *report_path = tool_path("finding.json");
  char report_option[600];
  if (access(path, R_OK) != 0) return;
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  ToolRun run = tool_run(NULL, TOOL("run", path, "--filter", victim, "--filter",
                                    "string.short-bytes-are-small.*", report_option));
  ck_assert_msg(run.exit_code == 1, "%s: exit code %d\n%s%s", path, run.exit_code, run.out,
                run.err);
  json_t *report = tool_json(report_path);
  ck_assert_str_eq(tool_case_text(report, victim, "verdict"), "fail");
  const char *output = json_string_value(
      json_object_get(json_object_get(tool_case(report, victim), "output"), "text"));
  ck_assert_ptr_nonnull(output);
  ck_assert_msg(strstr(output, finding->text) != NULL, "%s: it wrote\n%s", path, output);
  ck_assert_ptr_nonnull(strstr(run.out, "      output        | "));
  ck_assert_uint_eq(tool_count(report, "string.short-bytes-are-small.", "pass"), 8);
  json_decref(report);
  tool_free(&run);
}

// What the user tells the sanitizer is kept, but it can't keep findings from counting.
TEST(options_of_the_user_are_kept)
{
  const char *path = library("address_heap_overflow");
  if (access(path, R_OK) != 0) return;
  ToolSetup setup = {.environment = {"ASAN_OPTIONS=help=1:exitcode=0:halt_on_error=0"}};
  ToolRun run = tool_run(&setup, TOOL("run", path, "--filter", victim, "-v"));
  ck_assert_int_eq(run.exit_code, 1);
  tool_free(&run);
  setup.environment[0] = "ASAN_OPTIONS=max_malloc_fill_size=16:malloc_fill_byte=77:symbolize=0";
  run = tool_run(&setup, TOOL("run", path, "--filter", victim));
  ck_assert_ptr_nonnull(strstr(run.out, "heap-buffer-overflow"));
  ck_assert_msg(!strstr(run.out, "heap_overflow.c"), "symbolize=0 was lost:\n%s", run.out);
  tool_free(&run);
}

int main(void)
{
  bool any = false;
  for (int i = 0; i < SOUND; ++i) any |= access(library(sound[i]), R_OK) == 0;
  if (any) return unit_run(NULL) ? EXIT_SUCCESS : EXIT_FAILURE;
  printf("no library built with a sanitizer can be made here\n");
  return SKIPPED;
}
