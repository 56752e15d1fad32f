// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// One of two listed data types is refused.
#include "kernels_device/add_one_on_device.h"
