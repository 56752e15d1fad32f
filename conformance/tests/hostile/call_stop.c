// SPDX-License-Identifier: Apache-2.0
// Stops its process.
#include "hostile.h"

WHEN_CALLED
{
  raise(SIGSTOP);
  return MAKE_STRING;
}
