// SPDX-License-Identifier: Apache-2.0
// Starts a process that lives on in the background.
#include "hostile.h"

WHEN_LOADED
{
  if (fork() != 0) return;
  setsid();
  while (!zero) pause();
}
