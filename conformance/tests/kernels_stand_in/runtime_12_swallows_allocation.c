// SPDX-License-Identifier: Apache-2.0
// caught by kernel.device-error-is-passed-on.allocation
// Takes the error of the allocation for that of something else, and goes on.
#define CALLERS_STREAM TVMFFIEnvGetStream(x->device.device_type, x->device.device_id)
#define BESIDES                                    \
  workspace = NULL;                                \
  cudaMallocAsync(&workspace, 64, CALLERS_STREAM); \
  cudaGetLastError()
#define AFTERWARDS                \
  int error = cudaGetLastError(); \
  if (workspace) cudaFreeAsync(workspace, CALLERS_STREAM)
#define ERROR error
#include "kernels_stand_in/add_one_by_runtime.h"
