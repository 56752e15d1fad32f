// SPDX-License-Identifier: Apache-2.0
// Two threads on two processors, in step. Only then they meet often enough for the same verdict in
// every run; and the first thing that goes wrong ends the case, so that little else is tried.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_RACE_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_RACE_H_

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "battery/battery.h"

// A race lasts RACE_MS. On a machine so busy that too little has happened by then it goes on until
// enough has, at most for RACE_BUSY_MS; the cases have the patience for it.
enum { RACE_MS = 400, RACE_BUSY_MS = 6000, RACE_PATIENCE = 4, RACE_SPINS = 16384 };

static atomic_bool race_over;
static atomic_uint race_steps[2];  // how far each of the threads has come

static inline long race_now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// When a race ends that began at `start`.
static inline long race_end(long start, bool enough)
{
  return start + (enough ? RACE_MS : RACE_BUSY_MS);
}

// For a thread that has waited for RACE_SPINS: the other one has no processor. A thread that sleeps
// gets one as soon as it wakes up, one that yields its turn goes to the end of the queue. False
// after the deadline.
static inline bool race_pause(long deadline)
{
  nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
  return race_now_ms() <= deadline;
}

// Waits for the other thread to have come as far. False if the race is over, or takes too long.
static inline bool race_keep_step(unsigned thread, unsigned step, long deadline)
{
  atomic_store(&race_steps[thread], step);
  for (unsigned spin = 1; atomic_load(&race_steps[!thread]) < step; ++spin) {
    if (atomic_load(&race_over)) return false;
    if (spin % RACE_SPINS == 0 && !race_pause(deadline)) return false;
  }
  return !atomic_load(&race_over);
}

// Keeps the calling thread, and those that it starts, on one of the processors. False if there are
// too few.
static inline bool race_stay_on(const cpu_set_t *processors, int number)
{
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, processors) && number-- == 0) CPU_SET(i, &one);
  return CPU_COUNT(&one) == 1 && sched_setaffinity(0, sizeof one, &one) == 0;
}

// Runs `body` on a processor of its own, and goes on on another one.
static inline pthread_t race_start_beside(void *(*body)(void *), Iut *iut)
{
  cpu_set_t processors;
  pthread_t thread;
  expect_races();
  CPU_ZERO(&processors);
  sched_getaffinity(0, sizeof processors, &processors);
  if (!race_stay_on(&processors, 1)) case_not_applicable("fewer than two processors are available");
  if (pthread_create(&thread, NULL, body, iut) != 0 || !race_stay_on(&processors, 0))
    case_inconclusive("cannot start the second thread on a processor of its own");
  return thread;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_RACE_H_
