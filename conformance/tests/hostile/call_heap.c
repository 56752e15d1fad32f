// SPDX-License-Identifier: Apache-2.0
// Writes over what the allocator keeps between its blocks.
#include "hostile.h"

WHEN_CALLED
{
  volatile char *blocks[8];
  for (int i = 0; i < 8; ++i) blocks[i] = malloc(24);
  for (int i = 0; i < 8; ++i)
    for (int at = 0; at < 64 + zero; ++at) blocks[i][at] = 0x41;
  for (int i = 0; i < 8; ++i) free((void *)blocks[i]);
  return MAKE_STRING;
}
