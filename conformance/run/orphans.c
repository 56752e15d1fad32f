// SPDX-License-Identifier: Apache-2.0
#include "run/orphans.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/children.h"

enum { LIMIT_S = 10, ROUND_US = 500 };

static bool contains(const pid_t *list, size_t count, pid_t process)
{
  for (size_t i = 0; i < count; ++i)
    if (list[i] == process) return true;
  return false;
}

// Reaps the dead, up to the first one that is spared: to look at thousands of them takes longer than
// others take to start the next. False if there are no children at all.
static bool reap(const pid_t *spared, size_t count)
{
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0) return errno != ECHILD;
    if (info.si_pid == 0 || contains(spared, count, info.si_pid)) return true;
    waitpid(info.si_pid, NULL, WNOHANG);
  }
}

size_t orphans_end(const pid_t *spared, size_t count)
{
  struct timespec start = {0}, now;
  size_t killed = 0;
  while (reap(spared, count)) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (start.tv_sec == 0) start = now;
    if (now.tv_sec - start.tv_sec > LIMIT_S) return killed;
    size_t reaped, found = children_kill(getpid(), spared, count, &reaped);
    killed += found;
    // A process that dies hands its own children on to us: only a round that finds none, and none
    // that died meanwhile, is the last.
    if (count && found == 0 && reaped == 0) return killed;
    usleep(ROUND_US);
  }
  return killed;
}
