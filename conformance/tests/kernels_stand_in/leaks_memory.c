// SPDX-License-Identifier: Apache-2.0
// caught by kernel.call-gives-device-memory-back
// A workspace for each call, never given back.
#define BESIDES lose_memory()
static void lose_memory(void);
#include "kernels_device/add_one_on_device.h"

static void lose_memory(void)
{
  int (*allocate)(uint64_t *, size_t);
  void *found = driver_symbol("cuMemAlloc_v2");
  uint64_t lost;
  memcpy(&allocate, &found, sizeof allocate);
  if (found) allocate(&lost, 4096);
}
