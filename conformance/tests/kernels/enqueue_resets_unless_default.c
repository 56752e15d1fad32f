// SPDX-License-Identifier: Apache-2.0
// caught by kernel.default-stream-stays
#define STREAM                                                                          \
  DLDevice device = x->device;                                                          \
  TVMFFIStreamHandle before = TVMFFIEnvGetStream(device.device_type, device.device_id); \
  TVMFFIEnvSetStream(device.device_type, device.device_id, &before, NULL);              \
  if (before) TVMFFIEnvSetStream(device.device_type, device.device_id, before, NULL)
#include "enqueue.h"
