// SPDX-License-Identifier: Apache-2.0
// Kills its process.
#include "hostile.h"

WHEN_LOADED
{
  raise(SIGKILL);
}
