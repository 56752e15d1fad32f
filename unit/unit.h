// SPDX-License-Identifier: Apache-2.0
// Unit tests that register themselves, run by Check: a test that is written is run.
//
//   #include "unit/unit.h"
//
//   TEST(an_empty_list_has_no_end) { ck_assert_ptr_null(list_end(&(List){0})); }
//
//   TEST(numbers_are_read, .rows = ROWS(numbers)) { ck_assert(reads(numbers[_i])); }
//
//   TEST_GROUP(files, .timeout = 60, .setup = make_folder, .teardown = remove_folder);
//
// A file is a suite, named by the file without `test_` in front or `_test` behind; it has a TCase
// for each group. Link `unit`, which brings a main() that runs all suites; a program with arguments
// defines its own and calls unit_run().
//
// Tests register in constructors, so a file with tests must be a source of the program (or of an
// object library): from a static library the linker drops it without a word.
#ifndef TVMFFI_UNIT_H_
#define TVMFFI_UNIT_H_

#include <check.h>
#include <stdbool.h>
#include <stddef.h>

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

typedef struct UnitTest {
  const TTest *test;
  const char *file;
  int rows;  // it runs once for each of them, with `_i` from `first` to `rows` - 1; 0: it runs once
  int first;    // 0 if not given
  int signal;   // that has to end it; 0: none
  bool unless;  // it is left out
  int line;
  char suite[64];  // of its file: unit_add_test puts it there
  struct UnitTest *next;
} UnitTest;

// What holds for the tests below it in the same file, up to the next group.
typedef struct UnitGroup {
  const char *name, *file;
  double timeout;               // seconds a test; 0: 20
  void (*setup)(void);          // before each test, in its process
  void (*teardown)(void);       // after each test
  void (*setup_once)(void);     // before all tests, in the process that forks
  void (*teardown_once)(void);  // after all tests
  int line;
  struct UnitGroup *next;
} UnitGroup;

// TEST(name, .rows = N) { body }: the settings are members of UnitTest, and may be computed when the
// program starts.
#define TEST(...) UNIT_TEST(__VA_ARGS__, .line = __LINE__)
#define UNIT_TEST(name, ...)                                          \
  static void name##_fn(int _i CK_ATTRIBUTE_UNUSED);                  \
  __attribute__((constructor)) static void name##_register(void)      \
  {                                                                   \
    static const TTest test = {#name, name##_fn, __FILE__, __LINE__}; \
    static UnitTest entry;                                            \
    entry = (UnitTest){.test = &test, .file = __FILE__, __VA_ARGS__}; \
    unit_add_test(&entry);                                            \
  }                                                                   \
  static void name##_fn(int _i CK_ATTRIBUTE_UNUSED)

// TEST_GROUP(name, .timeout = 60); the settings are members of UnitGroup.
#define TEST_GROUP(...) UNIT_GROUP(__VA_ARGS__, .line = __LINE__)
#define UNIT_GROUP(group, ...)                                          \
  __attribute__((constructor)) static void group##_group_register(void) \
  {                                                                     \
    static UnitGroup entry;                                             \
    entry = (UnitGroup){.name = #group, .file = __FILE__, __VA_ARGS__}; \
    unit_add_group(&entry);                                             \
  }                                                                     \
  typedef int group##_group

// The entries are borrowed for the rest of the program. Called by the macros, before main().
void unit_add_test(UnitTest *test);
void unit_add_group(UnitGroup *group);

// The name of the i-th suite; NULL beyond the last.
const char *unit_suite(size_t i);

// Runs the tests of the suite of this name, or of all suites if it is NULL, and prints what came of
// them (CK_VERBOSITY and CK_FORK as Check documents them). True if all passed and there were some.
bool unit_run(const char *suite);

#endif  // TVMFFI_UNIT_H_
