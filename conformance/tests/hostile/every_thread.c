// SPDX-License-Identifier: Apache-2.0
// Every call starts threads without end.
#include "every_call.h"
#include "tasks.h"

ON_EVERY_CALL
{
  start_threads();
}
