// SPDX-License-Identifier: Apache-2.0
// Calls itself without end.
#include "hostile.h"

static int deeper(volatile char *above)
{
  volatile char frame[1024];
  frame[0] = above[0];
  return deeper(frame) + frame[0];
}

WHEN_CALLED
{
  volatile char top[1] = {0};
  return deeper(top);
}
