// SPDX-License-Identifier: Apache-2.0
// Starts a process that goes on from child to child, each in a session of its own.
#include "tasks.h"

WHEN_LOADED
{
  start_chain(1);
}
