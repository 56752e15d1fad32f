// SPDX-License-Identifier: Apache-2.0
#include "lanes.h"

#include <pthread.h>

#include "fuzz_target.h"

typedef struct Lane {
  pthread_t thread;
  bool alive;
  LaneWork *work;  // what it is to do; NULL when that is done
  void *context;
  bool leave;  // it is to end
} Lane;

static Lane lanes[LANES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *serve(void *argument)
{
  Lane *lane = argument;
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

void lanes_run(int number, LaneWork *work, void *context)
{
  Lane *lane = &lanes[number];
  if (number == 0) {
    work(context);
    return;
  }
  pthread_mutex_lock(&lock);
  if (!lane->alive) {
    *lane = (Lane){.alive = true};
    FUZZ_CHECK(pthread_create(&lane->thread, NULL, serve, lane) == 0);
  }
  lane->work = work;
  lane->context = context;
  pthread_cond_broadcast(&changed);
  while (lane->work != NULL) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

bool lanes_has_begun(int number)
{
  return number == 0 || lanes[number].alive;
}

void lanes_end(int number)
{
  Lane *lane = &lanes[number];
  if (!lane->alive) return;
  pthread_mutex_lock(&lock);
  lane->leave = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  FUZZ_CHECK(pthread_join(lane->thread, NULL) == 0);
  lane->alive = false;
}
