// SPDX-License-Identifier: Apache-2.0
// passes but for load.two-copies
#include <stdlib.h>

// As a module does that registers types: the second copy finds the name taken, and the process
// ends.
__attribute__((constructor)) static void begin(void)
{
  if (getenv("TESTS_ADD_ONE_IS_HERE")) abort();
  setenv("TESTS_ADD_ONE_IS_HERE", "1", 1);
}

__attribute__((destructor)) static void end(void)
{
  unsetenv("TESTS_ADD_ONE_IS_HERE");
}

#include "add_one.h"
