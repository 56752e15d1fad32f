// SPDX-License-Identifier: Apache-2.0
// Blocks every signal.
#include "hostile.h"

WHEN_LOADED
{
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
}
