// SPDX-License-Identifier: Apache-2.0
// Blocks every signal when it is loaded, and writes near a null pointer when it is called.
#include "hostile.h"

WHEN_LOADED
{
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
}

WHEN_CALLED
{
  *(volatile char *)((uintptr_t)nowhere + 8) = 1;
  return MAKE_STRING;
}
