// SPDX-License-Identifier: Apache-2.0
// Closes every descriptor.
#include "hostile.h"

WHEN_CALLED
{
  for (int fd = 0; fd < 1024; ++fd) close(fd);
  return MAKE_STRING;
}
