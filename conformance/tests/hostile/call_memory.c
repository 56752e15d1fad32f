// SPDX-License-Identifier: Apache-2.0
// Takes memory until there is none, and does not look whether it got any.
#include "hostile.h"

WHEN_CALLED
{
  for (size_t size = (size_t)64 << 20;;) {
    volatile char *block = malloc(size);
    block[0] = block[size - 1] = 1;
  }
  return MAKE_STRING;
}
