// SPDX-License-Identifier: Apache-2.0
// Forks, and both processes go on as if nothing had happened.
#include "hostile.h"

WHEN_LOADED
{
  if (fork() < 0) abort();
}
