// SPDX-License-Identifier: Apache-2.0
// Starts threads without end.
#include "tasks.h"

WHEN_LOADED
{
  start_threads();
}
