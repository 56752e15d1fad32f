// SPDX-License-Identifier: Apache-2.0
// `signatures` on a module whose metadata are not what they should be:
//
//   test_signatures MODULE.so SOURCE SIGNATURES.json
//
// The second comment of its kernel in the source is "// complaint: WORDS". The file for a first signature file comes
// all the same, and where the user's own says all there is to know, nobody asks for metadata.
#include <stdio.h>
#include <string.h>

#include "tests/kernels/kernel_source.h"
#include "tests/tool/tool.h"
#include "unit/unit.h"

static const char *module_path, *source_path, *signatures_path;

// The line below the first comment of the source, behind its "// complaint: ".
static void read_complaint(char complaint[KERNEL_COMMENT])
{
  static const char begin[] = "// complaint: ";
  KernelComments comments = kernel_source_comments(source_path, module_path);
  ck_assert_msg(strncmp(comments.second, begin, strlen(begin)) == 0, "%s: \"%s\"", source_path,
                comments.second);
  snprintf(complaint, KERNEL_COMMENT, "%s", comments.second + strlen(begin));
}

static size_t parameters_in(const ToolRun *run)
{
  json_error_t mistake;
  json_t *root = json_loads(run->out, 0, &mistake);
  ck_assert_msg(root != NULL, "line %d: %s:\n%s", mistake.line, mistake.text, run->out);
  const json_t *function = json_object_get(json_object_get(root, "functions"), "add_one");
  ck_assert_msg(json_is_object(function), "%s", run->out);
  size_t count = json_array_size(json_object_get(function, "parameters"));
  json_decref(root);
  return count;
}

TEST_GROUP(signatures, .timeout = 90);

TEST(what_is_wrong_is_said)
{
  char complaint[KERNEL_COMMENT], expected[768];
  read_complaint(complaint);
  snprintf(expected, sizeof expected, "tvmffi-conform: %s: metadata of add_one: %s", module_path,
           complaint);
  ToolRun run = tool_run(&(ToolSetup){.limit = 60}, TOOL("signatures", module_path));
  ck_assert_msg(strncmp(run.err, expected, strlen(expected)) == 0, "\"%s\" instead of \"%s\"",
                run.err, expected);
  ck_assert_msg(strchr(run.err, '\n') == run.err + run.err_size - 1, "no line: %s", run.err);
  ck_assert_int_eq(run.exit_code, 0);
  // What its metadata do not say is found out by calling it.
  ck_assert_uint_eq(parameters_in(&run), 2);
  ck_assert_msg(strstr(run.out, "\"such a call is served"), "no call was found:\n%s", run.out);
  tool_free(&run);
}

TEST(who_says_all_is_told_nothing)
{
  ToolRun run = tool_run(&(ToolSetup){.limit = 60},
                         TOOL("signatures", module_path, "--signatures", signatures_path));
  ck_assert_str_eq(run.err, "");
  ck_assert_int_eq(run.exit_code, 0);
  ck_assert_uint_eq(parameters_in(&run), 2);
  tool_free(&run);
}

int main(int argc, char **argv)
{
  if (argc != 4) return 2;
  module_path = argv[1];
  source_path = argv[2];
  signatures_path = argv[3];
  return unit_run(NULL) ? EXIT_SUCCESS : EXIT_FAILURE;
}
