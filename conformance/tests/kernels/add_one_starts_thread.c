// SPDX-License-Identifier: Apache-2.0
// caught by load.loading-starts-no-thread
#include <pthread.h>
#include <unistd.h>

static void *wait_for_work(void *value)
{
  pause();
  return value;
}

__attribute__((constructor)) static void begin(void)
{
  pthread_t thread;
  if (pthread_create(&thread, 0, wait_for_work, 0) == 0) pthread_detach(thread);
}
#include "add_one.h"
