// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refused-call-does-no-work.on-the-host
// Launches, then looks at what device the output is on.
#define CHECKS (EVERY_CHECK & ~CHECK_DEVICE)
#define AFTERWARDS                                                          \
  if (x->device.device_type != kDLCUDA || y->device.device_type != kDLCUDA) \
  return FAIL("ValueError", "x or y is not on CUDA")
#include "kernels_device/add_one_on_device.h"
