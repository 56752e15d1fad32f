// SPDX-License-Identifier: Apache-2.0
// caught by buffer.byte-offset.256-bytes saying from the first element of y
// What lies before the workspace is used, too.
#define BESIDES to = (float *)y->data
#include "kernels_device/add_one_on_device.h"
