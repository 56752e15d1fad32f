// SPDX-License-Identifier: Apache-2.0
// Kills its process.
#include "hostile.h"

WHEN_CALLED
{
  raise(SIGKILL);
  return MAKE_STRING;
}
