// SPDX-License-Identifier: Apache-2.0
// Becomes another program, one that succeeds.
#include "hostile.h"

WHEN_CALLED
{
  execl("/bin/true", "true", (char *)NULL);
  return MAKE_STRING;
}
