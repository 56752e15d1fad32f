// SPDX-License-Identifier: Apache-2.0
#include "unit/unit.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// In the order of the program's sources, and of the lines in each.
static UnitTest *tests, **tests_end = &tests;
static UnitGroup *groups, **groups_end = &groups;

// "folder/test_list.c" and "folder/list_test.c" are "list".
static void put_suite(UnitTest *test)
{
  const char *slash = strrchr(test->file, '/'), *start = slash ? slash + 1 : test->file;
  if (strncmp(start, "test_", 5) == 0) start += 5;
  size_t length = strcspn(start, ".");
  if (length > 5 && strncmp(start + length - 5, "_test", 5) == 0) length -= 5;
  snprintf(test->suite, sizeof test->suite, "%.*s", (int)length, start);
}

void unit_add_test(UnitTest *test)
{
  put_suite(test);
  *tests_end = test;
  tests_end = &test->next;
}

void unit_add_group(UnitGroup *group)
{
  *groups_end = group;
  groups_end = &group->next;
}

// The first test of the next file; NULL behind the last.
static const UnitTest *next_file(const UnitTest *test)
{
  const char *file = test->file;
  while (test && strcmp(test->file, file) == 0) test = test->next;
  return test;
}

const char *unit_suite(size_t i)
{
  const UnitTest *test = tests;
  while (test && i-- > 0) test = next_file(test);
  return test ? test->suite : NULL;
}

// The last group above the test in its file; NULL if there is none.
static const UnitGroup *group_of(const UnitTest *test)
{
  const UnitGroup *last = NULL;
  for (const UnitGroup *group = groups; group; group = group->next)
    if (strcmp(group->file, test->file) == 0 && group->line < test->line) last = group;
  return last;
}

static TCase *make_case(const UnitGroup *group)
{
  // Check's own 4 s are too few on a busy machine.
  enum { SECONDS = 20 };
  TCase *made = tcase_create(group ? group->name : "all");
  tcase_set_timeout(made, group && group->timeout > 0 ? group->timeout : SECONDS);
  if (!group) return made;
  if (group->setup || group->teardown)
    tcase_add_checked_fixture(made, group->setup, group->teardown);
  if (group->setup_once || group->teardown_once)
    tcase_add_unchecked_fixture(made, group->setup_once, group->teardown_once);
  return made;
}

static void add_to_case(TCase *all, const UnitTest *test)
{
  int end = test->rows > 0 ? test->rows : test->first + 1;
  if (test->unless)
    fprintf(stderr, "%s is left out here\n", test->test->name);
  else
    tcase_add_loop_test_raise_signal(all, test->test, test->signal, test->first, end);
}

// The tests of the file at `test`, with a TCase for each group.
static Suite *make_suite(const UnitTest *test)
{
  const UnitTest *end = next_file(test);
  const UnitGroup *group = NULL;
  TCase *all = NULL;
  Suite *suite = suite_create(test->suite);  // Check keeps the pointer
  for (; test != end; test = test->next) {
    if (!all || group_of(test) != group) {
      group = group_of(test);
      all = make_case(group);
      suite_add_tcase(suite, all);
    }
    add_to_case(all, test);
  }
  return suite;
}

// For each assertion that holds Check tells the line to the process that waits for the test, with a
// system call: half a million of them in a loop over the keys of a map. To name the last line
// before a crash it needs each line once, so one that this thread told lately is not told again.
// The linker puts this in the place of Check's function.
void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line)
{
  enum { TOLD = 256 };
  static _Thread_local struct {
    const char *file;
    int line;
  } told[TOLD];
  size_t at = ((size_t)line * 31 + (uintptr_t)file) % TOLD;
  if (told[at].line == line && told[at].file == file) return;
  told[at].file = file;
  told[at].line = line;
  __real__mark_point(file, line);
}

bool unit_run(const char *suite)
{
  SRunner *runner = srunner_create(NULL);
  for (const UnitTest *test = tests; test; test = next_file(test))
    if (!suite || strcmp(test->suite, suite) == 0) srunner_add_suite(runner, make_suite(test));
  srunner_run_all(runner, CK_ENV);
  bool passed = srunner_ntests_run(runner) > 0 && srunner_ntests_failed(runner) == 0;
  srunner_free(runner);
  return passed;
}
