// SPDX-License-Identifier: Apache-2.0
// caught by load.loaded-again
#include <stdlib.h>

static int was_here;

__attribute__((constructor)) static void begin(void)
{
  was_here = getenv("TESTS_ADD_ONE_WAS_HERE") != 0;
}

__attribute__((destructor)) static void end(void)
{
  setenv("TESTS_ADD_ONE_WAS_HERE", "1", 1);
}

#define FINALLY                                                                 \
  if (was_here) return FAIL("RuntimeError", "x: add_one was here once before"); \
  return 0
#include "add_one.h"
