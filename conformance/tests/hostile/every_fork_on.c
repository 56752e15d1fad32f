// SPDX-License-Identifier: Apache-2.0
// Every call forks, and both processes go on with the case, the new one in a session of its own.
#include "every_call.h"
#include "tasks.h"

ON_EVERY_CALL
{
  if (is_new_process(TASKS_MAX)) setsid();
}
