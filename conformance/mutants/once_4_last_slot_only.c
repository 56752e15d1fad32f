// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include "mutants/mutant.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static void **being_filled;

MUTANT(ONCE_4, "of the slots that are being filled the one that came last is remembered")
OVERRIDE(HandleInitOnce, void **slot, int (*init)(void **result))
{
  pthread_mutex_lock(&lock);
  while (*slot == NULL && being_filled == slot) pthread_cond_wait(&ended, &lock);
  void *filled = *slot;
  if (filled == NULL) being_filled = slot;
  pthread_mutex_unlock(&lock);
  if (filled != NULL) return 0;
  void *mine = NULL;
  int status = REFERENCE(HandleInitOnce)(&mine, init);
  pthread_mutex_lock(&lock);
  if (status == 0) *slot = mine;
  being_filled = NULL;
  pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&lock);
  return status;
}
