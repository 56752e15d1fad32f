// SPDX-License-Identifier: Apache-2.0
// Never returns.
#include "hostile.h"

WHEN_LOADED
{
  while (!zero) continue;
}
