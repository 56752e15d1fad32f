// SPDX-License-Identifier: Apache-2.0
// Needs a function that nobody has.
#include "hostile.h"

extern void is_nowhere_to_be_found(void);

WHEN_LOADED
{
  is_nowhere_to_be_found();
}
