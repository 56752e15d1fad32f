// SPDX-License-Identifier: Apache-2.0
// Sets an alarm that nobody handles later.
#include "hostile.h"

WHEN_LOADED
{
  struct itimerval soon = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  setitimer(ITIMER_PROF, &soon, NULL);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigaddset(&alarms, SIGPROF);
  sigprocmask(SIG_BLOCK, &alarms, NULL);
}
