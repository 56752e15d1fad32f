// SPDX-License-Identifier: Apache-2.0
// Closes every descriptor, as a daemon does.
#include "hostile.h"

WHEN_LOADED
{
  for (int fd = 0; fd < 1024; ++fd) close(fd);
}
