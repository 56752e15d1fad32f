// SPDX-License-Identifier: Apache-2.0
// Stops its process.
#include "hostile.h"

WHEN_LOADED
{
  raise(SIGSTOP);
}
