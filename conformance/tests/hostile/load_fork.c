// SPDX-License-Identifier: Apache-2.0
// Starts processes without end, each in a session of its own.
#include "tasks.h"

WHEN_LOADED
{
  share_count();
  while (!is_started && atomic_load(started) < TASKS_MAX) is_new_process(TASKS_MAX);
  if (is_started) setsid();
  sleep_a_while(NULL);
  if (is_started) _exit(0);
}
