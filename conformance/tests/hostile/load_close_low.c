// SPDX-License-Identifier: Apache-2.0
// Closes the descriptors that a program is started with, and takes their numbers.
#include "hostile.h"

WHEN_LOADED
{
  for (int fd = 0; fd < 16; ++fd) close(fd);
  for (int fd = 0; fd < 16; ++fd)
    if (open("/dev/null", O_RDWR) < 0) return;
}
