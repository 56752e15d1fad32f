// SPDX-License-Identifier: Apache-2.0
// Writes over what the allocator keeps between its blocks.
#include "hostile.h"

WHEN_CALLED
{
  char *blocks[8];
  for (int i = 0; i < 8; ++i) blocks[i] = malloc(24);
  for (int i = 0; i < 8; ++i) memset(blocks[i], 0x41, 64 + (size_t)zero);
  for (int i = 0; i < 8; ++i) free(blocks[i]);
  free(malloc(1 << 20));
  return MAKE_STRING;
}
