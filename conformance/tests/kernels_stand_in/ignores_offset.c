// SPDX-License-Identifier: Apache-2.0
// caught by buffer.byte-offset.256-bytes saying from the first element of x
// The byte offset of the input is not added.
#define BESIDES from = (const float *)x->data
#include "kernels_device/add_one_on_device.h"
