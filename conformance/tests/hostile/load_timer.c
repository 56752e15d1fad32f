// SPDX-License-Identifier: Apache-2.0
// Sets timers that go off again and again, and keeps their signals waiting.
#include "hostile.h"

WHEN_LOADED
{
  struct itimerval soon = {{0, 1000}, {0, 1000}};
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigaddset(&alarms, SIGUSR1);
  sigprocmask(SIG_BLOCK, &alarms, NULL);
  setitimer(ITIMER_REAL, &soon, NULL);
  raise(SIGUSR1);
  usleep(5000);
}
