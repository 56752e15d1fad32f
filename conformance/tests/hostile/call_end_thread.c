// SPDX-License-Identifier: Apache-2.0
// Ends the thread that calls it.
#include "hostile.h"

WHEN_CALLED
{
  pthread_exit(NULL);
}
