// SPDX-License-Identifier: Apache-2.0
// Does its work, then ends the process without its exit handlers.
#include "hostile.h"

WHEN_CALLED
{
  int status = MAKE_STRING;
  _exit(status);
}
