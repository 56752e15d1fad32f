// SPDX-License-Identifier: Apache-2.0
// Throws the stack for signal handlers away, and calls itself without end.
#include "hostile.h"

static int deeper(volatile char *above)
{
  volatile char frame[1024];
  frame[0] = above[0];
  return deeper(frame) + frame[0];
}

WHEN_CALLED
{
  stack_t none = {.ss_flags = SS_DISABLE};
  volatile char top[1] = {0};
  sigaltstack(&none, NULL);
  return deeper(top);
}
