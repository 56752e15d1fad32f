// SPDX-License-Identifier: Apache-2.0
// Writes 8 MiB to stdout, with control characters among them.
#include "hostile.h"

WHEN_LOADED
{
  static char line[65536];
  memset(line, '\033', sizeof line);
  for (int i = 0; i < 128; ++i)
    if (write(STDOUT_FILENO, line, sizeof line) < 0) return;
}
