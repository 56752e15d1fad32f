// SPDX-License-Identifier: Apache-2.0
// Goes elsewhere, and takes the environment along.
#include <sys/stat.h>

#include "hostile.h"

WHEN_LOADED
{
  if (chdir("/proc") != 0) return;
  clearenv();
  umask(0777);
}
