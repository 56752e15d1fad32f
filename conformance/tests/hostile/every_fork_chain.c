// SPDX-License-Identifier: Apache-2.0
// Every call starts a process that goes on from child to child, each in a session of its own.
#include "every_call.h"
#include "tasks.h"

enum { CHAINS_MAX = 40 };

ON_EVERY_CALL
{
  start_chain(CHAINS_MAX);
}
