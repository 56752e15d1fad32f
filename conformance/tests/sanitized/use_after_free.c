// SPDX-License-Identifier: Apache-2.0
// Reads a block of the heap that it has given back.
#include "tests/hostile/hostile.h"

WHEN_CALLED
{
  volatile char *block = malloc(16);
  free((void *)block);
  zero = block[zero] & 0;
  return MAKE_STRING;
}
