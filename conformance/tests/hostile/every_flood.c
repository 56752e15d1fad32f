// SPDX-License-Identifier: Apache-2.0
// Every call writes a gigabyte to stdout, and another one to stderr.
#include "every_call.h"

ON_EVERY_CALL
{
  static char line[65536];
  for (int i = 0; i < 16384; ++i)
    if (write(STDOUT_FILENO, line, sizeof line) < 0 || write(STDERR_FILENO, line, sizeof line) < 0)
      return;
}
