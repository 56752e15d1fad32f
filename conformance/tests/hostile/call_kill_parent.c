// SPDX-License-Identifier: Apache-2.0
// Kills the process that started it.
#include "hostile.h"

WHEN_CALLED
{
  kill(getppid(), SIGKILL);
  sleep(60);
  return MAKE_STRING;
}
