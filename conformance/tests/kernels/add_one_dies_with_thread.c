// SPDX-License-Identifier: Apache-2.0
// caught by kernel.call-after-a-thread-has-ended
#include <pthread.h>
#include <stddef.h>

static volatile int gone;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void forget(void *value)
{
  (void)value;
  gone = 1;
}

static void make_key(void)
{
  pthread_key_create(&key, forget);
}

// What all threads share ends with the first of them.
#define FINALLY                                                              \
  if (gone) return FAIL("RuntimeError", "x: what add_one had made is gone"); \
  pthread_once(&once, make_key);                                             \
  pthread_setspecific(key, x);                                               \
  return 0
#include "add_one.h"
