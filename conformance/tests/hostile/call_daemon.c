// SPDX-License-Identifier: Apache-2.0
// Becomes a daemon: the process of the case ends, and a child goes on with it.
#include "hostile.h"

WHEN_CALLED
{
  if (fork() > 0) _exit(0);
  setsid();
  usleep(20000);
  return MAKE_STRING;
}
