// SPDX-License-Identifier: Apache-2.0
// caught by kernel.failed-call-gives-device-memory-back
// A workspace that is given back only if the launch was not refused.
#define CALLERS_STREAM TVMFFIEnvGetStream(x->device.device_type, x->device.device_id)
#define BESIDES     \
  workspace = NULL; \
  cudaMallocAsync(&workspace, 64, CALLERS_STREAM)
#define AFTERWARDS                \
  int error = cudaGetLastError(); \
  if (!error) cudaFreeAsync(workspace, CALLERS_STREAM)
#define ERROR error
#include "kernels_stand_in/add_one_by_runtime.h"
