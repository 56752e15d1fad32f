// SPDX-License-Identifier: Apache-2.0
// Becomes a daemon: the process that loaded it ends, a child goes on.
#include "hostile.h"

WHEN_LOADED
{
  if (fork() > 0) _exit(0);
  setsid();
  while (!zero) pause();
}
