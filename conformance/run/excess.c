// SPDX-License-Identifier: Apache-2.0
#include "run/excess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TASKS_MAX = 2048 };
enum { MEMORY_LEFT = 16 };  // memory runs out where less than a sixteenth of it is available

// How much memory the machine has, or how much of it can be had; 0: not known.
static uint64_t memory_of_machine(bool available)
{
  char line[128];
  unsigned long long kib = 0;
  FILE *file = fopen("/proc/meminfo", "re");
  while (file && kib == 0 && fgets(line, sizeof line, file)) {
    const char *number = strchr(line, ':');
    if (strncmp(line, available ? "MemAvailable:" : "MemTotal:", available ? 13 : 9) == 0)
      kib = strtoull(number + 1, NULL, 10);
  }
  if (file) fclose(file);
  return (uint64_t)kib << 10;
}

static bool has_too_much_memory(const ChildrenToll *toll, uint64_t memory_most)
{
  const uint64_t bytes = (uint64_t)toll->pages * (uint64_t)sysconf(_SC_PAGESIZE);
  if (memory_most) return bytes > memory_most;
  const uint64_t all = memory_of_machine(false);
  return all && bytes > all / 2 && memory_of_machine(true) < all / MEMORY_LEFT;
}

bool excess_is_possible(uint64_t memory_most)
{
  const size_t tasks = children_of_machine();
  if (memory_most || tasks == 0 || tasks > TASKS_MAX) return true;
  return memory_of_machine(true) < memory_of_machine(false) / MEMORY_LEFT;
}

const char *excess_of(const ChildrenToll *toll, uint64_t memory_most)
{
  if (toll->tasks > TASKS_MAX)
    return "ended by the suite: more than 2048 processes and threads of it were there at once";
  if (has_too_much_memory(toll, memory_most))
    return "ended by the suite: memory ran out, and its processes had more than half of it";
  return NULL;
}
