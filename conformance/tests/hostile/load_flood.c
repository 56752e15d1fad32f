// SPDX-License-Identifier: Apache-2.0
// Writes to stdout and stderr without end.
#include "hostile.h"

WHEN_LOADED
{
  static char line[65536];
  while (write(STDOUT_FILENO, line, sizeof line) > 0 && write(STDERR_FILENO, line, sizeof line) > 0)
    continue;
}
