// SPDX-License-Identifier: Apache-2.0
// Kernels of enqueue.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_enqueue_first_device  // caught by kernel.stream-of-another-device
#define STREAM TVMFFIEnvGetStream(x->device.device_type, 0)
#endif

#ifdef KERNEL_enqueue_no_stream  // caught by kernel.stream-of-the-device
#define STREAM (void)x
#endif

#ifdef KERNEL_enqueue_resets_unless_default  // caught by kernel.default-stream-stays
#define STREAM                                                                          \
  DLDevice device = x->device;                                                          \
  TVMFFIStreamHandle before = TVMFFIEnvGetStream(device.device_type, device.device_id); \
  TVMFFIEnvSetStream(device.device_type, device.device_id, &before, NULL);              \
  if (before) TVMFFIEnvSetStream(device.device_type, device.device_id, before, NULL)
#endif

#ifdef KERNEL_enqueue_right  // passes
#define STREAM TVMFFIEnvGetStream(x->device.device_type, x->device.device_id)
#endif

#ifdef KERNEL_enqueue_sets_stream  // caught by kernel.stream-stays
#define STREAM                                                                             \
  TVMFFIStreamHandle own = TVMFFIEnvGetStream(x->device.device_type, x->device.device_id); \
  TVMFFIEnvSetStream(x->device.device_type, x->device.device_id, &own, &own)
#endif

#ifdef KERNEL_enqueue_touches  // caught by buffer.host-leaves-device-memory
#define STREAM                                                    \
  TVMFFIEnvGetStream(x->device.device_type, x->device.device_id); \
  *(volatile float *)x->data = 1
#endif

#include "enqueue.h"
