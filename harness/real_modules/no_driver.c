// SPDX-License-Identifier: Apache-2.0
// Stands in for the driver of CUDA, libcuda.so.1, on a machine that has none: each function that the
// modules import says that there is no device. The CUDA runtime asks a driver for others first, and
// says that this one is too old.
enum { NO_DEVICE = 100 };

#define FUNCTION(name) \
  int name(void);      \
  int name(void)       \
  {                    \
    return NO_DEVICE;  \
  }

FUNCTION(cuDeviceGetName)
FUNCTION(cuFuncSetAttribute)
FUNCTION(cuLaunchCooperativeKernel)
FUNCTION(cuLaunchKernel)
FUNCTION(cuLaunchKernelEx)
FUNCTION(cuLibraryGetKernel)
FUNCTION(cuLibraryLoadData)
FUNCTION(cuLibraryUnload)
FUNCTION(cuModuleGetFunction)
FUNCTION(cuModuleLoadData)
FUNCTION(cuModuleUnload)
FUNCTION(cuTensorMapEncodeTiled)

int cuGetErrorName(int error, const char **name);
int cuGetErrorName(int error, const char **name)
{
  *name = error == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_UNKNOWN";
  return 0;
}

int cuGetErrorString(int error, const char **text);
int cuGetErrorString(int error, const char **text)
{
  *text = error == NO_DEVICE ? "no CUDA-capable device is detected" : "unknown error";
  return 0;
}
