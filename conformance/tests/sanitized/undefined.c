// SPDX-License-Identifier: Apache-2.0
// Adds one to the largest integer there is.
#include "tests/hostile/hostile.h"

static volatile int largest = 0x7fffffff;

WHEN_CALLED
{
  ++largest;
  return MAKE_STRING;
}
