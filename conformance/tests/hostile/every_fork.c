// SPDX-License-Identifier: Apache-2.0
// Every call starts a process that leaves its session and sleeps.
#include "every_call.h"
#include "tasks.h"

ON_EVERY_CALL
{
  if (!is_new_process(TASKS_MAX)) return;
  setsid();
  sleep_a_while(NULL);
  _exit(0);
}
