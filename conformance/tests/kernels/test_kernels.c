// SPDX-License-Identifier: Apache-2.0
// Judges one kernel and looks whether what its source says came of it:
//
//   test_kernels MODULE.so SOURCE [SIGNATURES.json|- [RUNTIME.so|- [DEVICE]]]
//
// The comment in the source (kernel_source.h) is "// passes", and then nothing may fail, be without
// a verdict or be warned of; or "// caught by CASE", and then this case fails, for the first
// function that the module exports, or for the one behind "@", and with "saying WORDS" behind it
// tells these; or "// passes but for CASE", and then this case fails, for some function, and no
// other does; or "// passes, and the headers fail by CASE", and then it fails for what the official
// headers do, which does not count, and nothing else does; or "// not judged by CASE", and then it does not apply. Where the line below begins
// with "// with pointers of 32 bits: ", such machines take what is behind that instead. Before all of these may stand "next to NAME: ": NAME.so in
// the folder of the module is another build of it (--same-as), and only what is about that is tried; "next to NAME@FUNCTION: "
// tries it with this function alone.
//
// A kernel that is to be caught is tried with the case that catches it and no other.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_source.h"
#include "tests/tool/tool.h"
#include "unit/unit.h"

enum { LIMIT = 60 };

static const char *module_path, *source_path, *signatures_path, *runtime_path, *device;

// What has to come of it, on this machine.
static void read_wanted(char wanted[KERNEL_COMMENT])
{
  static const char for_32_bits[] = "// with pointers of 32 bits: ";
  KernelComments comments = kernel_source_comments(source_path, module_path);
  bool other =
      sizeof(void *) == 4 && strncmp(comments.second, for_32_bits, strlen(for_32_bits)) == 0;
  snprintf(wanted, KERNEL_COMMENT, "%s",
           other ? comments.second + strlen(for_32_bits) : comments.first);
}

// The end of what the program wrote is what the test says if it fails, and that may not be long.
static char *shown_of(const ToolRun *run)
{
  enum { SHOWN_MAX = 2000 };
  const char *text = run->out_size ? run->out : run->err;
  size_t size = run->out_size ? run->out_size : run->err_size;
  size_t cut = size > SHOWN_MAX ? size - SHOWN_MAX : 0;
  char *shown = malloc(SHOWN_MAX + 8);
  ck_assert_ptr_nonnull(shown);
  snprintf(shown, SHOWN_MAX + 8, "%s%s", cut ? "[...] " : "", text + cut);
  return shown;
}

// The words for one case only, if that is enough. `filter` gets a glob for it, for whatever
// function.
static size_t narrow(const char *wanted, char filter[256], const char *words[2])
{
  static const char caught[] = "caught by ";
  if (strncmp(wanted, caught, strlen(caught)) != 0) return 0;
  wanted += strlen(caught);
  size_t length =
      strstr(wanted, " saying ") ? (size_t)(strstr(wanted, " saying ") - wanted) : strlen(wanted);
  snprintf(filter, 256, "%.*s*", (int)length, wanted);
  words[0] = "--filter";
  words[1] = filter;
  return 2;
}

// What is wanted, without the "next to NAME@FUNCTION: " in front of it, which `path` and `function` (with the @) are made of; else
// they are "".
static const char *take_other(const char *wanted, char path[600], char function[64])
{
  static const char next_to[] = "next to ";
  const char *end = strstr(wanted, ": "), *name = wanted + strlen(next_to);
  path[0] = function[0] = '\0';
  if (strncmp(wanted, next_to, strlen(next_to)) != 0 || !end) return wanted;
  const char *file = strrchr(module_path, '/') + 1, *at = memchr(name, '@', (size_t)(end - name));
  if (at) snprintf(function, 64, "%.*s", (int)(end - at), at);
  snprintf(path, 600, "%.*s%.*s.so", (int)(file - module_path), module_path,
           (int)((at ? at : end) - name), name);
  return end + 2;
}

static json_t *judge(const char *wanted, const char *other, const char *function, int *exit_code,
                     char **text)
{
  const char *report = tool_path("report.json");
  char request[600], filter[256], others[128];
  snprintf(request, sizeof request, "json:%s", report);
  snprintf(others, sizeof others, "*-the-other-build%s", *function ? function : "*");
  // What can't be judged here of a kernel that launches work, or that nobody describes, is not asked for.
  const char *words[20] = {TOOL_PROGRAM,     "run",      module_path, "--gate=hardening",
                           "--min-judged=0", "--report", request};
  size_t count = 7;
  if (signatures_path) words[count++] = "--signatures", words[count++] = signatures_path;
  if (runtime_path) words[count++] = "--runtime", words[count++] = runtime_path;
  if (device) words[count++] = "--device", words[count++] = device;
  const size_t narrowed = narrow(wanted, filter, words + count);
  count += narrowed;
  if (*other) words[count++] = "--same-as", words[count++] = other;
  if (*other && !narrowed) words[count++] = "--filter", words[count++] = others;
  ToolRun run = tool_run(&(ToolSetup){.limit = LIMIT}, words);
  *exit_code = run.exit_code;
  *text = shown_of(&run);
  json_t *json = run.exit_code <= 1 ? tool_json(report) : NULL;
  remove(report);
  tool_free(&run);
  return json;
}

static bool tells(const json_t *entry, const char *words)
{
  char *text = json_dumps(entry, 0);
  bool found = text && strstr(text, words);
  free(text);
  return found;
}

// The case of this name for any function, or for the one that `id` names itself; "CASE saying
// WORDS" looks for the words, too.
static bool has_failed(const json_t *report, const char *id)
{
  const char *saying = strstr(id, " saying "), *words = saying ? saying + 8 : "";
  size_t length = saying ? (size_t)(saying - id) : strlen(id), i;
  const json_t *entry;
  json_array_foreach(json_object_get(report, "cases"), i, entry)
  {
    const char *seen = json_string_value(json_object_get(entry, "id"));
    if (strncmp(seen, id, length) != 0 || (seen[length] && seen[length] != '@')) continue;
    if (strcmp(json_string_value(json_object_get(entry, "verdict")), "fail") == 0)
      return tells(entry, words);
  }
  return false;
}

// Cases of this name have failed, and none but these; all others have a verdict.
static void check_exception(const json_t *report, const char *id, const char *text)
{
  size_t expected = tool_count(report, id, "fail"), pass = tool_count(report, "", "pass");
  ck_assert_msg(expected > 0, "%s did not fail:\n%s", id, text);
  ck_assert_msg(pass > 0, "nothing passed:\n%s", text);
  ck_assert_msg(pass + expected + tool_count(report, "", "skip") == tool_count(report, "", NULL),
                "not all others passed:\n%s", text);
}

TEST_GROUP(kernels, .timeout = LIMIT + 30);

// Cases whose ids begin with `prefix` and that show what the official headers do.
static size_t count_of_headers(const json_t *report, const char *prefix)
{
  size_t index, count = 0;
  json_t *entry;
  json_array_foreach(json_object_get(report, "cases"), index, entry)
  {
    const char *id = json_string_value(json_object_get(entry, "id"));
    bool theirs = json_is_true(json_object_get(entry, "of_headers"));
    count += theirs && strncmp(id, prefix, strlen(prefix)) == 0;
  }
  return count;
}

TEST(the_kernel_is_what_it_says)
{
  char comment[KERNEL_COMMENT], other[600], function[64], *text = NULL;
  int exit_code;
  read_wanted(comment);
  const char *wanted = take_other(comment, other, function);
  json_t *report = judge(wanted, other, function, &exit_code, &text);
  ck_assert_msg(report != NULL, "exit code %d:\n%s", exit_code, text);
  if (strcmp(wanted, "passes") == 0) {
    ck_assert_msg(exit_code == 0, "exit code %d:\n%s", exit_code, text);
    ck_assert_msg(tool_count(report, "", "pass") > 0, "nothing was judged:\n%s", text);
  } else if (strncmp(wanted, "passes, and the headers fail by ", 32) == 0) {
    ck_assert_msg(exit_code == 0, "exit code %d:\n%s", exit_code, text);
    ck_assert_msg(tool_count(report, "", "pass") > 0, "nothing was judged:\n%s", text);
    size_t theirs = count_of_headers(report, wanted + 32);
    ck_assert_msg(theirs && theirs == count_of_headers(report, ""), "not theirs:\n%s", text);
    ck_assert_msg(tool_count(report, "", "fail") == 0, "warned:\n%s", text);
  } else if (strncmp(wanted, "passes but for ", 15) == 0) {
    check_exception(report, wanted + 15, text);
    ck_assert_int_eq(exit_code, 1);
  } else if (strncmp(wanted, "not judged by ", 14) == 0) {
    size_t skipped = tool_count(report, wanted + 14, "skip");
    ck_assert_msg(skipped && skipped == tool_count(report, wanted + 14, NULL), "judged:\n%s", text);
    ck_assert_msg(exit_code == 0, "exit code %d:\n%s", exit_code, text);
  } else {
    ck_assert_msg(strncmp(wanted, "caught by ", 10) == 0, "%s: \"%s\"", source_path, wanted);
    ck_assert_msg(has_failed(report, wanted + 10), "%s did not catch it:\n%s", wanted + 10, text);
    ck_assert_int_eq(exit_code, 1);
  }
  json_decref(report);
  free(text);
}

int main(int argc, char **argv)
{
  if (argc < 3) return 2;
  module_path = argv[1];
  source_path = argv[2];
  signatures_path = argc > 3 && strcmp(argv[3], "-") != 0 ? argv[3] : NULL;
  runtime_path = argc > 4 && strcmp(argv[4], "-") != 0 ? argv[4] : NULL;
  device = argc > 5 ? argv[5] : NULL;
  return unit_run(NULL) ? EXIT_SUCCESS : EXIT_FAILURE;
}
