// SPDX-License-Identifier: Apache-2.0
// Ends the process without its exit handlers.
#include "hostile.h"

WHEN_LOADED
{
  _exit(7);
}
