// SPDX-License-Identifier: Apache-2.0
// Runs the suites named on the command line, or all of them, several in a process each. A name that
// isn't one is an error, so that nothing passes by not running. SUITES_HERE are those that are
// linked into this program.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suites.h"

static const struct {
  const char *name;
  Suite *(*make)(void);
} suites[] = {
#define SUITE_ROW(suite) {#suite, suite##_suite},
    SUITES_HERE(SUITE_ROW)
#undef SUITE_ROW
};
enum { SUITE_COUNT = sizeof suites / sizeof *suites };

// Asked by ThreadSanitizer, where it is linked in. What the dynamic linker knows of libraries it
// allocates, writes and frees under a lock of its own, which it also holds while it shows their
// names; the sanitizer sees the memory and not the lock. Two threads of which one opened a library
// and the other one closed one were a race in one run of eighty.
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
  return "called_from_lib:ld-linux\n"
         "race:module_file_is_name\n";
}

static size_t find(const char *name)
{
  size_t i = 0;
  while (i < SUITE_COUNT && strcmp(name, suites[i].name) != 0) ++i;
  if (i == SUITE_COUNT) fprintf(stderr, "no suite is called %s\n", name);
  return i;
}

static bool run(size_t suite)
{
  SRunner *runner = srunner_create(suites[suite].make());
  srunner_run_all(runner, CK_ENV);
  bool passed = srunner_ntests_run(runner) > 0 && srunner_ntests_failed(runner) == 0;
  srunner_free(runner);
  return passed;
}

// A suite finds a runtime in which nothing was registered by another one, also where the tests of
// one share a process (CK_FORK=no).
static bool run_apart(size_t suite)
{
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) exit(run(suite) ? EXIT_SUCCESS : EXIT_FAILURE);
  if (child < 0 || waitpid(child, &status, 0) != child) return false;
  if (WIFSIGNALED(status))
    fprintf(stderr, "%s: ended by signal %d\n", suites[suite].name, WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  bool passed = true;
  if (argc == 2) {
    size_t suite = find(argv[1]);
    return suite < SUITE_COUNT && run(suite) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  for (int i = 1; i < argc; ++i) passed = find(argv[i]) < SUITE_COUNT && passed;
  if (!passed) return EXIT_FAILURE;
  for (int i = 1; i < argc; ++i) passed = run_apart(find(argv[i])) && passed;
  for (size_t i = 0; i < SUITE_COUNT && argc == 1; ++i) passed = run_apart(i) && passed;
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
