// SPDX-License-Identifier: Apache-2.0
// Handles its own crash by trying once more.
#include "hostile.h"

static void again(int number)
{
  (void)number;
}

WHEN_CALLED
{
  signal(SIGSEGV, again);
  *(volatile int *)nowhere = 1;
  return MAKE_STRING;
}
