// SPDX-License-Identifier: Apache-2.0
// Forks, and both processes go on with the case.
#include "hostile.h"

WHEN_CALLED
{
  if (fork() < 0) abort();
  return MAKE_STRING;
}
