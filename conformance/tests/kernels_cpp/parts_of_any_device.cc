// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused saying another device
// The tensors of the array may be on any device.
#define PART_DEVICE(x) (x).device().device_type
#include "parts.h"
