// SPDX-License-Identifier: Apache-2.0
// caught by kernel.stream-of-another-device
#define STREAM TVMFFIEnvGetStream(x->device.device_type, 0)
#include "enqueue.h"
