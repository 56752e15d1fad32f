// SPDX-License-Identifier: Apache-2.0
// Reads a block of the heap that it has given back: nobody notices without help.
#include "hostile.h"

WHEN_CALLED
{
  volatile char *block = malloc(64);
  free((void *)block);
  zero = block[32] & 0;
  return MAKE_STRING;
}
