// SPDX-License-Identifier: Apache-2.0
// Starts a thread when it is loaded, and has every string made by it.
#include "hostile.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const TVMFFIByteArray *wanted;
static TVMFFIAny *made;
static int status;

static void *work(void *argument)
{
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!wanted) pthread_cond_wait(&changed, &lock);
    status = reference_TVMFFIStringFromByteArray(wanted, made);
    wanted = NULL;
    pthread_cond_broadcast(&changed);
  }
  return argument;
}

WHEN_LOADED
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) != 0) abort();
}

WHEN_CALLED
{
  pthread_mutex_lock(&lock);
  wanted = input;
  made = out;
  pthread_cond_broadcast(&changed);
  while (wanted) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return status;
}
