// SPDX-License-Identifier: Apache-2.0
// Sets a timer that goes off when the cases run, and keeps its signal waiting for as long as
// loading takes, and another.
#include "hostile.h"

WHEN_LOADED
{
  struct itimerval soon = {{0, 3000}, {0, 3000}};
  sigset_t later;
  sigemptyset(&later);
  sigaddset(&later, SIGUSR1);
  sigaddset(&later, SIGALRM);
  sigprocmask(SIG_BLOCK, &later, NULL);
  raise(SIGUSR1);
  setitimer(ITIMER_REAL, &soon, NULL);
}
