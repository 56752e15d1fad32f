// SPDX-License-Identifier: Apache-2.0
#include "run/orphans.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/children.h"

enum { ROUNDS_MAX = 500, ROUND_US = 2000 };

void orphans_end(const pid_t *spared, size_t count)
{
  for (int round = 0; round < ROUNDS_MAX; ++round) {
    pid_t reaped;
    while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0) continue;
    if (reaped < 0 && errno == ECHILD) return;
    // A process that dies hands its own children on to us: only a round that finds none is the
    // last.
    if (children_kill(getpid(), spared, count) == 0 && count) return;
    usleep(ROUND_US);
  }
}
