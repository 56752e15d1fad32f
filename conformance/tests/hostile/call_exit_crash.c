// SPDX-License-Identifier: Apache-2.0
// Ends the process, and crashes in an exit handler.
#include "hostile.h"

static void crash(void)
{
  *(volatile int *)nowhere = 1;
}

WHEN_CALLED
{
  atexit(crash);
  exit(3);
}
