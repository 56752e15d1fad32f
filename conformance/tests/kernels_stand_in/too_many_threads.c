// SPDX-License-Identifier: Apache-2.0
// caught by kernel.right-call
// More threads in a block than a device has.
#define BLOCK_SIZE 2048
#include "kernels_device/add_one_on_device.h"
