// SPDX-License-Identifier: Apache-2.0
// Crashes in a thread of its own.
#include "hostile.h"

static void *crash(void *argument)
{
  *(volatile int *)nowhere = 1;
  return argument;
}

WHEN_CALLED
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, crash, NULL) == 0) pthread_join(thread, NULL);
  return MAKE_STRING;
}
