// SPDX-License-Identifier: Apache-2.0
// Two builds of a module next to each other (--same-as): what differs is told, what does not is not.
#include <stdio.h>
#include <string.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

#define SAME "kernel.same-as-the-other-build@"

typedef struct Row {
  const char *module, *other, *signatures;  // without .so, .json; NULL: no signature file
  const char *function;
  int exit_code;
  const char *said;  // in the output, or NULL
} Row;

static ToolRun judge(const Row *row)
{
  char module[600], other[600], signatures[600], filter[200];
  snprintf(module, sizeof module, MODULES "/%s.so", row->module);
  snprintf(other, sizeof other, MODULES "/%s.so", row->other);
  snprintf(signatures, sizeof signatures, KERNELS "/%s.json",
           row->signatures ? row->signatures : "");
  snprintf(filter, sizeof filter, SAME "%s", row->function);
  const char *words[] = {TOOL_PROGRAM,
                         "run",
                         module,
                         "--same-as",
                         other,
                         "--filter",
                         filter,
                         "--min-judged=0",
                         row->signatures ? "--signatures" : NULL,
                         signatures,
                         NULL};
  return tool_run(&(ToolSetup){.limit = 60}, words);
}

static const Row rows[] = {
    {"add_one_right", "add_one_metadata_right", "add_one", "add_one", 0, "1 passed"},
    {"add_one_right", "add_one_metadata_right", NULL, "add_one", 0, "1 passed"},
    {"add_one_adds_two", "add_one_right", "add_one", "add_one", 1, "element 0 of y is 3, not 2"},
    {"add_one_adds_two", "add_one_right", NULL, "add_one", 1,
     "element 0 of argument 1 is 3, not 2"},
    // One data type of two, one value of an optional parameter: the file lists them.
    {"pick_double_as_float", "pick_right", "pick", "pick", 1, "element 0 of y is 7.375, not 6.375"},
    {"pick_needs_factor", "pick_right", "pick", "pick", 1, "it ends the process"},
    {"pick_one_mode", "pick_right", "pick", "pick", 1, "it is refused: "},
    // The other way round the other build is the one that crashes.
    {"pick_right", "pick_needs_factor", "pick", "pick", 0, "1 passed"},
    // Results: one kind is not another.
    {"give_string", "give_string", "give", "give", 0, "1 passed"},
    {"give_int_as_float", "give_int", "give", "give", 1, "the type of the result is another one"},
    {"make_right", "make_unchecked", "make", "make", 0, "1 passed"},
    // As those that register a type: not in one process. And one that ends the process when it is loaded.
    {"add_one_loads_once", "add_one_loads_once", NULL, "add_one", 0, "1 passed"},
    {"add_one_right", "add_one_lost_beside", NULL, "add_one", 5,
     "the process with the other build has ended"},
    {"add_one_right", "give_int", "add_one", "add_one", 2, "none of the functions of the module"},
    {"add_one_right", "nowhere", "add_one", "add_one", 2, "No such file"},
};

TEST_GROUP(same_as, .timeout = 120);

TEST(what_differs_is_told, .rows = ROWS(rows))
{
  const Row *row = &rows[_i];
  ToolRun run = judge(row);
  ck_assert_msg(run.exit_code == row->exit_code, "%s, %s: exit code %d:\n%s%s", row->module,
                row->other, run.exit_code, run.out, run.err);
  if (row->said)
    ck_assert_msg(strstr(run.out, row->said) || strstr(run.err, row->said), "%s, %s: no %s:\n%s%s",
                  row->module, row->other, row->said, run.out, run.err);
  tool_free(&run);
}
