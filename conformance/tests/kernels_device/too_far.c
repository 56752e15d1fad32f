// SPDX-License-Identifier: Apache-2.0
// caught by kernel.right-call
// Far more elements than there are.
#define COUNT ((uint64_t)x->shape[0] + 100000)
#include "add_one_on_device.h"
