// SPDX-License-Identifier: Apache-2.0
// caught by kernel.call-gives-streams-and-events-back
// An event for each call, never given back.
#define BESIDES lose_event()
static void lose_event(void);
#include "kernels_device/add_one_on_device.h"

static void lose_event(void)
{
  int (*create)(void **, unsigned);
  void *found = driver_symbol("cuEventCreate"), *lost;
  memcpy(&create, &found, sizeof create);
  if (found) create(&lost, 2);
}
