// SPDX-License-Identifier: Apache-2.0
// Ends the process as if all had gone well.
#include "hostile.h"

WHEN_CALLED
{
  exit(0);
}
