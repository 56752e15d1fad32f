// SPDX-License-Identifier: Apache-2.0
// caught by kernel.right-call saying which is on a device
// Reads on the host what is on the device.
#define BESIDES (void)*(const volatile float *)from
#include "kernels_device/add_one_on_device.h"
