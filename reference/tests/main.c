// SPDX-License-Identifier: Apache-2.0
// Runs the suites named on the command line, or all of them. A name that isn't one is an error, so
// that nothing passes by not running.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"

static const struct {
  const char *name;
  Suite *(*make)(void);
} suites[] = {
#define SUITE_ROW(suite) {#suite, suite##_suite},
    SUITES(SUITE_ROW)
#undef SUITE_ROW
};

// Asked by ThreadSanitizer, where it is linked in. The dynamic linker writes the names of libraries
// under a lock of its own, which it also holds while it shows them; the sanitizer sees the memory
// and not the lock.
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
  return "race:module_file_is_name\n";
}

static int add_named(SRunner *runner, const char *name)
{
  int added = 0;
  for (size_t i = 0; i < sizeof suites / sizeof *suites; ++i) {
    if (name != NULL && strcmp(name, suites[i].name) != 0) continue;
    srunner_add_suite(runner, suites[i].make());
    ++added;
  }
  if (added == 0) fprintf(stderr, "no suite is called %s\n", name);
  return added;
}

int main(int argc, char **argv)
{
  SRunner *runner = srunner_create(NULL);
  bool known = argc > 1 || add_named(runner, NULL) != 0;
  for (int i = 1; i < argc; ++i) known = add_named(runner, argv[i]) != 0 && known;
  srunner_run_all(runner, CK_ENV);
  bool passed = known && srunner_ntests_run(runner) > 0 && srunner_ntests_failed(runner) == 0;
  srunner_free(runner);
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
