// SPDX-License-Identifier: Apache-2.0
// Overwrites all memory that it shares with other processes.
#include "hostile.h"

WHEN_CALLED
{
  char line[512], permissions[8];
  unsigned long start, end;
  FILE *maps = fopen("/proc/self/maps", "re");
  while (maps && fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx %7s", &start, &end, permissions) == 3 &&
        strncmp(permissions, "rw-s", 4) == 0)
      memset((void *)(uintptr_t)start, 0x7f, end - start);
  return MAKE_STRING;
}
