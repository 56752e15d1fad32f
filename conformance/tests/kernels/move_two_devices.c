// SPDX-License-Identifier: Apache-2.0
// caught by buffer.two-devices
#define SAME_DEVICE(a, b) ((a).device_type == (b).device_type)
#include "move.h"
