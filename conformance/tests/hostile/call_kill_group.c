// SPDX-License-Identifier: Apache-2.0
// Ends its process group.
#include "hostile.h"

WHEN_CALLED
{
  kill(0, SIGTERM);
  return MAKE_STRING;
}
