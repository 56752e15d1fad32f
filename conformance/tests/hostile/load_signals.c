// SPDX-License-Identifier: Apache-2.0
// Handles or ignores every signal, and ignores its children.
#include "hostile.h"

static void look_away(int number)
{
  (void)number;
}

WHEN_LOADED
{
  for (int number = 1; number < NSIG; ++number) signal(number, number % 2 ? look_away : SIG_IGN);
  signal(SIGSEGV, look_away);
  signal(SIGCHLD, SIG_IGN);
}
