// SPDX-License-Identifier: Apache-2.0
// Writes to stdout without end.
#include "hostile.h"

WHEN_CALLED
{
  static char line[65536];
  memset(line, 'x', sizeof line);
  while (write(STDOUT_FILENO, line, sizeof line) > 0) continue;
  return MAKE_STRING;
}
