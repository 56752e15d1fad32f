// SPDX-License-Identifier: Apache-2.0
// Blocks every signal, ignores those that can't be blocked away, and never returns.
#include "hostile.h"

WHEN_CALLED
{
  sigset_t all;
  sigfillset(&all);
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
  sigprocmask(SIG_SETMASK, &all, NULL);
  while (!zero) continue;
  return MAKE_STRING;
}
