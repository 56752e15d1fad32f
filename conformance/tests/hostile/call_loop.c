// SPDX-License-Identifier: Apache-2.0
// Never returns.
#include "hostile.h"

WHEN_CALLED
{
  while (!zero) continue;
  return MAKE_STRING;
}
