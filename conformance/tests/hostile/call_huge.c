// SPDX-License-Identifier: Apache-2.0
// Gives up where it should say that there is not so much memory.
#include "hostile.h"

WHEN_CALLED
{
  if (input->size > SIZE_MAX / 8) abort();
  return MAKE_STRING;
}
