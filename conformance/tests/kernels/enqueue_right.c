// SPDX-License-Identifier: Apache-2.0
// passes
#define STREAM TVMFFIEnvGetStream(x->device.device_type, x->device.device_id)
#include "enqueue.h"
