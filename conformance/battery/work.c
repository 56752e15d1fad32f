// SPDX-License-Identifier: Apache-2.0
#include "battery/work.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int counter = -1;
static uint64_t before;

static int open_counter(void)
{
  struct perf_event_attr what;
  memset(&what, 0, sizeof what);
  what.type = PERF_TYPE_HARDWARE;
  what.size = sizeof what;
  what.config = PERF_COUNT_HW_INSTRUCTIONS;
  what.exclude_kernel = what.exclude_hv = 1;
  return (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t counted(void)
{
  uint64_t instructions = 0;
  return counter >= 0 && read(counter, &instructions, sizeof instructions) == sizeof instructions
             ? instructions
             : 0;
}

static uint64_t time_spent(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool work_is_counted(void)
{
  // A counter counts for the process that opened it, and is no use to one that it forked.
  static pid_t owner;
  if (owner == getpid()) return counter >= 0;
  owner = getpid();
  if (counter >= 0) close(counter);
  counter = open_counter();
  // Where there is no such counter behind it, it stays at 0.
  if (counter >= 0 && counted() == 0) {
    close(counter);
    counter = -1;
  }
  return counter >= 0;
}

void work_start(void)
{
  before = work_is_counted() ? counted() : time_spent();
}

uint64_t work_stop(void)
{
  uint64_t done = (counter >= 0 ? counted() : time_spent()) - before;
  return done ? done : 1;
}
