// SPDX-License-Identifier: Apache-2.0
// How many processes and threads a hostile library may start, so that what the program fails to end
// takes no machine down: TASKS_MAX a case, more than the program lets pass, and none lives for
// longer than a minute.
#ifndef TVMFFI_CONFORMANCE_TESTS_HOSTILE_TASKS_H_
#define TVMFFI_CONFORMANCE_TESTS_HOSTILE_TASKS_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "hostile.h"

enum { TASKS_MAX = 2600, LIFE_S = 60 };

static atomic_int *started;    // shared by all processes that come of the one that loaded this
static bool is_started;        // this process is one that was started here
static pid_t counted;          // the process that begins to count anew: that of a case
static struct timespec begun;  // when this was loaded

static void share_count(void)
{
  if (started) return;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  started = mmap(NULL, sizeof *started, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (started == MAP_FAILED) abort();
}

// Whether one more may be started, of `most`.
static bool may_start(int most)
{
  share_count();
  if (!is_started && counted != getpid()) {
    counted = getpid();
    atomic_store(started, 0);
  }
  int before = atomic_load(started);
  while (before < most)
    if (atomic_compare_exchange_weak(started, &before, before + 1)) return true;
  return false;
}

static inline bool may_live(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec - begun.tv_sec < LIFE_S;
}

// A fork, if there may be one more: false in the process that goes on.
static inline bool is_new_process(int most)
{
  if (!may_start(most) || fork() != 0) return false;
  is_started = true;
  return true;
}

static inline void *sleep_a_while(void *unused)
{
  sleep(LIFE_S);
  return unused;
}

static inline void start_threads(void)
{
  pthread_attr_t small;
  pthread_t thread;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  while (may_start(TASKS_MAX)) pthread_create(&thread, &small, sleep_a_while, NULL);
  sleep(LIFE_S);
}

// Goes on from child to child, each in a session of its own, for as long as there is.
static inline void start_chain(int most)
{
  if (!is_new_process(most)) return;
  do {
    setsid();
    usleep(1000);
  } while (may_live() && fork() == 0);
  _exit(0);
}

#endif  // TVMFFI_CONFORMANCE_TESTS_HOSTILE_TASKS_H_
