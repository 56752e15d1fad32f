// SPDX-License-Identifier: Apache-2.0
// Writes through a null pointer.
#include "hostile.h"

WHEN_LOADED
{
  *(volatile int *)nowhere = 1;
}
