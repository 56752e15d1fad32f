// SPDX-License-Identifier: Apache-2.0
// caught by kernel.launch-is-ordered-by-the-stream saying the default stream
// Asks for the stream, and launches on the default one.
#define STREAM (TVMFFIEnvGetStream(x->device.device_type, x->device.device_id), NULL)
#include "kernels_stand_in/add_one_by_runtime.h"
