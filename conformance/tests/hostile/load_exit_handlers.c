// SPDX-License-Identifier: Apache-2.0
// Leaves an exit handler and a destructor that crash.
#include "hostile.h"

static void crash(void)
{
  *(volatile int *)nowhere = 1;
}

__attribute__((destructor)) static void when_unloaded(void)
{
  crash();
}

WHEN_LOADED
{
  atexit(crash);
}
