// SPDX-License-Identifier: Apache-2.0
// caught by kernel.right-call
// Reads on the host what is on the device.
#define BESIDES (void)*(const volatile float *)from
#include "add_one_on_device.h"
