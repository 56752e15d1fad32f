// SPDX-License-Identifier: Apache-2.0
// Counts its calls in two threads without telling one from the other.
#include "tests/hostile/hostile.h"

static volatile int calls;

static void *count(void *argument)
{
  for (int i = 0; i < 1000; ++i) ++calls;
  return argument;
}

WHEN_CALLED
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, count, NULL) == 0) {
    count(NULL);
    pthread_join(thread, NULL);
  }
  return MAKE_STRING;
}
