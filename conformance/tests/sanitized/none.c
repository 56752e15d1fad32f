// SPDX-License-Identifier: Apache-2.0
// Does nothing wrong.
#include "tests/hostile/hostile.h"

WHEN_CALLED
{
  look_around();
  return MAKE_STRING;
}
