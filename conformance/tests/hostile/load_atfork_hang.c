// SPDX-License-Identifier: Apache-2.0
// Hangs whenever its process forks.
#include "hostile.h"

static void hang(void)
{
  while (!zero) pause();
}

WHEN_LOADED
{
  pthread_atfork(hang, NULL, NULL);
}
