// SPDX-License-Identifier: Apache-2.0
// Gives up.
#include "hostile.h"

WHEN_CALLED
{
  fprintf(stderr, "\033[31mpanic: %d strings are enough\n", 640);
  abort();
}
