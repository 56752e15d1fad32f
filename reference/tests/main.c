// SPDX-License-Identifier: Apache-2.0
// Runs the suites named on the command line, or all of them, several in a process each. A name that
// isn't one is an error, so that nothing passes by not running.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/unit.h"

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

// A suite finds a runtime in which nothing was registered by another one, also where the tests of
// one share a process (CK_FORK=no).
static bool run_apart(const char *suite)
{
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) exit(unit_run(suite) ? EXIT_SUCCESS : EXIT_FAILURE);
  if (child < 0 || waitpid(child, &status, 0) != child) return false;
  if (WIFSIGNALED(status)) fprintf(stderr, "%s: ended by signal %d\n", suite, WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static bool run_all(void)
{
  bool passed = true;
  const char *suite;
  for (size_t i = 0; (suite = unit_suite(i)) != NULL; ++i) passed = run_apart(suite) && passed;
  return passed;
}

static bool has_suite(const char *name)
{
  const char *suite;
  for (size_t i = 0; (suite = unit_suite(i)) != NULL; ++i)
    if (strcmp(suite, name) == 0) return true;
  fprintf(stderr, "no suite is called %s\n", name);
  return false;
}

int main(int argc, char **argv)
{
  bool passed = true;
  for (int i = 1; i < argc; ++i) passed = has_suite(argv[i]) && passed;
  if (!passed) return EXIT_FAILURE;
  if (argc == 1) passed = run_all();
  if (argc == 2) passed = unit_run(argv[1]);
  for (int i = 1; i < argc && argc > 2; ++i) passed = run_apart(argv[i]) && passed;
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
