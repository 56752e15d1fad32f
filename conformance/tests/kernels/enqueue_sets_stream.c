// SPDX-License-Identifier: Apache-2.0
// caught by kernel.stream-stays
#define STREAM                                                                             \
  TVMFFIStreamHandle own = TVMFFIEnvGetStream(x->device.device_type, x->device.device_id); \
  TVMFFIEnvSetStream(x->device.device_type, x->device.device_id, &own, &own)
#include "enqueue.h"
