// SPDX-License-Identifier: Apache-2.0
// Ends the thread that loads it.
#include "hostile.h"

WHEN_LOADED
{
  pthread_exit(NULL);
}
