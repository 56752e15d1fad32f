// SPDX-License-Identifier: Apache-2.0
// Every call hangs.
#include "every_call.h"

ON_EVERY_CALL
{
  while (!zero) pause();
}
