// SPDX-License-Identifier: Apache-2.0
// Starts a process that leaves its session, keeps everything open, and lives on.
#include "hostile.h"

WHEN_CALLED
{
  if (fork() == 0) {
    setsid();
    signal(SIGTERM, SIG_IGN);
    while (!zero) pause();
  }
  return MAKE_STRING;
}
