// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_threads.h"

#include <pthread.h>
#include <stdlib.h>

enum { STACK = 1 << 20 };

typedef struct FuzzThread {
  pthread_t id;
  bool alive;
  FuzzThreadWork *work;  // what it is to do; NULL when that is done
  void *context;
  bool leave;  // it is to end
} FuzzThread;

static FuzzThread threads[FUZZ_THREADS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *serve(void *argument)
{
  FuzzThread *thread = argument;
  pthread_mutex_lock(&lock);
  while (!thread->leave) {
    if (thread->work != NULL) {
      thread->work(thread->context);
      thread->work = NULL;
      pthread_cond_broadcast(&changed);
    } else {
      pthread_cond_wait(&changed, &lock);
    }
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

void fuzz_threads_run(int number, FuzzThreadWork *work, void *context)
{
  FuzzThread *thread = &threads[number];
  if (number == 0) {
    work(context);
    return;
  }
  pthread_mutex_lock(&lock);
  if (!thread->alive) {
    *thread = (FuzzThread){.alive = true};
    // Small: there is little address space where foreign libraries are run.
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    if (pthread_create(&thread->id, &small, serve, thread) != 0) abort();
    pthread_attr_destroy(&small);
  }
  thread->work = work;
  thread->context = context;
  pthread_cond_broadcast(&changed);
  while (thread->work != NULL) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

bool fuzz_threads_have_begun(int number)
{
  return number == 0 || threads[number].alive;
}

void fuzz_threads_end(int number)
{
  FuzzThread *thread = &threads[number];
  if (!thread->alive) return;
  pthread_mutex_lock(&lock);
  thread->leave = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  if (pthread_join(thread->id, NULL) != 0) abort();
  thread->alive = false;
}
