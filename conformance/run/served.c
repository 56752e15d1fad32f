// SPDX-License-Identifier: Apache-2.0
#include "run/served.h"

#include <stdint.h>
#include <stdlib.h>

enum { ROOM_LEAST = 64 };

// Where the kernel stands, or would.
static size_t place_of(const Served *served, const Kernel *kernel)
{
  size_t at = (size_t)(((uintptr_t)kernel >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
  while (served->kernels[at & (served->room - 1)] &&
         served->kernels[at & (served->room - 1)] != kernel)
    ++at;
  return at & (served->room - 1);
}

// Makes room for one more. False where memory is out.
static bool grow(Served *served)
{
  if (2 * (served->count + 1) <= served->room) return true;
  Served larger = {.room = served->room ? 2 * served->room : ROOM_LEAST, .count = served->count};
  larger.kernels = calloc(larger.room, sizeof *larger.kernels);
  if (!larger.kernels) return false;
  for (size_t i = 0; i < served->room; ++i)
    if (served->kernels[i])
      larger.kernels[place_of(&larger, served->kernels[i])] = served->kernels[i];
  served_free(served);
  *served = larger;
  return true;
}

void served_add(Served *served, const Kernel *kernel)
{
  if (served_has(served, kernel) || !grow(served)) return;
  served->kernels[place_of(served, kernel)] = kernel;
  ++served->count;
}

bool served_has(const Served *served, const Kernel *kernel)
{
  return kernel && served->count && served->kernels[place_of(served, kernel)];
}

void served_free(Served *served)
{
  free(served->kernels);
  *served = (Served){.kernels = NULL};
}
