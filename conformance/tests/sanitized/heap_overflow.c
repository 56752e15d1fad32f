// SPDX-License-Identifier: Apache-2.0
// Writes one byte behind a block of the heap.
#include "tests/hostile/hostile.h"

WHEN_CALLED
{
  volatile char *block = malloc(16);
  block[16 + zero] = 1;
  free((void *)block);
  return MAKE_STRING;
}
