// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_lanes.h"

#include <pthread.h>
#include <stdlib.h>

enum { STACK = 1 << 20 };

typedef struct FuzzLane {
  pthread_t thread;
  bool alive;
  FuzzLaneWork *work;  // what it is to do; NULL when that is done
  void *context;
  bool leave;  // it is to end
} FuzzLane;

static FuzzLane lanes[FUZZ_LANES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *serve(void *argument)
{
  FuzzLane *lane = argument;
  pthread_mutex_lock(&lock);
  while (!lane->leave) {
    if (lane->work != NULL) {
      lane->work(lane->context);
      lane->work = NULL;
      pthread_cond_broadcast(&changed);
    } else {
      pthread_cond_wait(&changed, &lock);
    }
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

void fuzz_lanes_run(int number, FuzzLaneWork *work, void *context)
{
  FuzzLane *lane = &lanes[number];
  if (number == 0) {
    work(context);
    return;
  }
  pthread_mutex_lock(&lock);
  if (!lane->alive) {
    *lane = (FuzzLane){.alive = true};
    // Small: there is little address space where foreign libraries are run.
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    if (pthread_create(&lane->thread, &small, serve, lane) != 0) abort();
    pthread_attr_destroy(&small);
  }
  lane->work = work;
  lane->context = context;
  pthread_cond_broadcast(&changed);
  while (lane->work != NULL) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

bool fuzz_lanes_have_begun(int number)
{
  return number == 0 || lanes[number].alive;
}

void fuzz_lanes_end(int number)
{
  FuzzLane *lane = &lanes[number];
  if (!lane->alive) return;
  pthread_mutex_lock(&lock);
  lane->leave = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  if (pthread_join(lane->thread, NULL) != 0) abort();
  lane->alive = false;
}
