// SPDX-License-Identifier: Apache-2.0
// Writes near a null pointer.
#include "hostile.h"

WHEN_CALLED
{
  *(volatile char *)((uintptr_t)nowhere + 8) = 1;
  return MAKE_STRING;
}
