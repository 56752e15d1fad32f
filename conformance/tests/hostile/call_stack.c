// SPDX-License-Identifier: Apache-2.0
// Calls itself without end. The frames are large, so that the end of the stack, wherever it happens
// to be, is met by the same instruction: two runs report the same place.
#include "hostile.h"

static int deeper(volatile char *above)
{
  volatile char frame[64 * 1024];
  frame[0] = above[0];
  return deeper(frame) + frame[0];
}

WHEN_CALLED
{
  volatile char top[1] = {0};
  return deeper(top);
}
