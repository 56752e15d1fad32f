// SPDX-License-Identifier: Apache-2.0
// caught by kernel.launch-is-ordered-by-the-stream saying another stream
// A stream of its own, which waits for nobody.
#define STREAM own_stream(TVMFFIEnvGetStream(x->device.device_type, x->device.device_id))
static void *own_stream(void *callers);
#include "kernels_device/add_one_on_device.h"

static void *own_stream(void *callers)
{
  static void *stream;
  int (*create)(void **, unsigned);
  void *found = driver_symbol("cuStreamCreate");
  (void)callers;
  memcpy(&create, &found, sizeof create);
  if (found && !stream) create(&stream, 1);
  return stream;
}
