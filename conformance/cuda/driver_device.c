// SPDX-License-Identifier: Apache-2.0
// The stand-in for the driver: its devices, and their contexts. It presents two devices of compute
// capability 9.0 with the limits of such; which images are loaded does not depend on it.
#include <stdio.h>
#include <string.h>

#include "cuda/driver.h"
#include "cuda/state.h"

enum { STACK_MAX = 32, TOTAL_GIB = 80 };

static atomic_bool initialized;
static Object *primary[CUDA_DEVICES];
static __thread Object *stack[STACK_MAX];
static __thread unsigned depth;

bool is_initialized(void)
{
  return atomic_load(&initialized);
}

Object *current_context(void)
{
  Object *top = depth ? stack[depth - 1] : NULL;
  return object_is(top, OBJECT_CONTEXT) ? top : NULL;
}

int current_device(void)
{
  const Object *context = current_context();
  return context ? context->device : 0;
}

int need_context(void)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  return current_context() ? OK : INVALID_CONTEXT;
}

static bool is_device(int device)
{
  return device >= 0 && device < CUDA_DEVICES;
}

static int need_device(int device)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  return is_device(device) ? OK : INVALID_DEVICE;
}

CUDA_EXPORT int cuInit(unsigned flags)
{
  if (flags) return INVALID_VALUE;
  atomic_store(&initialized, true);
  return OK;
}

CUDA_EXPORT int cuDriverGetVersion(int *version)
{
  enum { VERSION = 13000 };
  if (!version) return INVALID_VALUE;
  *version = VERSION;
  return OK;
}

// --- Devices -------------------------------------------------------------------------------------

CUDA_EXPORT int cuDeviceGetCount(int *count)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  if (!count) return INVALID_VALUE;
  *count = CUDA_DEVICES;
  return OK;
}

CUDA_EXPORT int cuDeviceGet(int *device, int number)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  if (!device) return INVALID_VALUE;
  if (!is_device(number)) return INVALID_DEVICE;
  *device = number;
  return OK;
}

CUDA_EXPORT int cuDeviceGetName(char *name, int size, int device)
{
  if (need_device(device) != OK) return need_device(device);
  if (!name || size <= 0) return INVALID_VALUE;
  snprintf(name, (size_t)size, "stand-in for a CUDA device");
  return OK;
}

CUDA_EXPORT int cuDeviceGetUuid(void *uuid, int device)
{
  if (need_device(device) != OK) return need_device(device);
  if (!uuid) return INVALID_VALUE;
  memset(uuid, device + 1, 16);
  return OK;
}

CUDA_EXPORT int cuDeviceGetUuid_v2(void *uuid, int device)
{
  return cuDeviceGetUuid(uuid, device);
}

CUDA_EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
  if (need_device(device) != OK) return need_device(device);
  if (!bytes) return INVALID_VALUE;
  *bytes = sizeof(size_t) > 4 ? (size_t)TOTAL_GIB * (1u << 30) : (size_t)1 << 30;
  return OK;
}

CUDA_EXPORT int cuDeviceComputeCapability(int *major, int *minor, int device)
{
  if (need_device(device) != OK) return need_device(device);
  *major = 9;
  *minor = 0;
  return OK;
}

CUDA_EXPORT int cuDeviceCanAccessPeer(int *can, int device, int peer)
{
  if (need_device(device) != OK) return need_device(device);
  if (!can) return INVALID_VALUE;
  *can = is_device(peer) && peer != device;
  return OK;
}

CUDA_EXPORT int cuDeviceGetPCIBusId(char *text, int size, int device)
{
  if (need_device(device) != OK) return need_device(device);
  snprintf(text, (size_t)size, "0000:%02x:00.0", device + 1);
  return OK;
}

CUDA_EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device)
{
  // The numbers of the driver's documentation; what is not here is 0: there is none of it.
  static const struct {
    int attribute, value;
  } known[] = {
      {1, 1024},     {2, 1024},       {3, 1024},        {4, 64},      {5, 2147483647},  {6, 65535},
      {7, 65535},    {8, 49152},      {9, 65536},       {10, 32},     {11, 2147483647}, {12, 65536},
      {13, 1980000}, {14, 512},       {15, 1},          {16, 132},    {19, 1},          {23, 32},
      {31, 1},       {32, 1},         {36, 2619000},    {37, 5120},   {38, 52428800},   {39, 2048},
      {40, 3},       {41, 1},         {51, 32},         {75, 9},      {76, 0},          {78, 1},
      {79, 1},       {80, 1},         {81, 233472},     {82, 65536},  {83, 1},          {89, 1},
      {90, 1},       {92, 1},         {95, 1},          {97, 232448}, {99, 1},          {102, 1},
      {106, 32},     {108, 52428800}, {109, 134213632}, {111, 1024},  {115, 1},         {119, 1},
      {120, 1},      {121, 1},
  };
  if (need_device(device) != OK) return need_device(device);
  if (!value || attribute <= 0) return INVALID_VALUE;
  *value = 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].attribute == attribute) *value = known[i].value;
  enum { PCI_BUS = 33 };
  if (attribute == PCI_BUS) *value = device + 1;
  return OK;
}

// --- Contexts ------------------------------------------------------------------------------------

CUDA_EXPORT int cuDevicePrimaryCtxRetain(void **context, int device)
{
  if (need_device(device) != OK) return need_device(device);
  if (!context) return INVALID_VALUE;
  if (!primary[device]) {
    Object *made = object_new(OBJECT_CONTEXT);
    if (!made) return OUT_OF_MEMORY;
    made->device = device;
    primary[device] = made;
  }
  ++primary[device]->references;
  *context = primary[device];
  return OK;
}

// What was made in it stays: others may still use it, as with the real one while it is retained.
CUDA_EXPORT int cuDevicePrimaryCtxRelease_v2(int device)
{
  if (need_device(device) != OK) return need_device(device);
  if (!primary[device] || primary[device]->references == 0) return INVALID_CONTEXT;
  --primary[device]->references;
  return OK;
}

CUDA_EXPORT int cuDevicePrimaryCtxRelease(int device)
{
  return cuDevicePrimaryCtxRelease_v2(device);
}

CUDA_EXPORT int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
  if (need_device(device) != OK) return need_device(device);
  if (flags) *flags = primary[device] ? primary[device]->flags : 0;
  if (active) *active = primary[device] && primary[device]->references > 0;
  return OK;
}

CUDA_EXPORT int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
  (void)flags;
  return need_device(device);
}

CUDA_EXPORT int cuDevicePrimaryCtxSetFlags(int device, unsigned flags)
{
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

CUDA_EXPORT int cuCtxPushCurrent_v2(void *context)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  if (!object_is(context, OBJECT_CONTEXT)) return INVALID_CONTEXT;
  if (depth == STACK_MAX) return INVALID_VALUE;
  stack[depth++] = context;
  return OK;
}

CUDA_EXPORT int cuCtxPopCurrent_v2(void **context)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  if (depth == 0) return INVALID_CONTEXT;
  --depth;
  if (context) *context = stack[depth];
  return OK;
}

CUDA_EXPORT int cuCtxSetCurrent(void *context)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  if (context && !object_is(context, OBJECT_CONTEXT)) return INVALID_CONTEXT;
  if (depth) --depth;
  if (context) stack[depth++] = context;
  return OK;
}

CUDA_EXPORT int cuCtxGetCurrent(void **context)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  if (!context) return INVALID_VALUE;
  *context = current_context();
  return OK;
}

CUDA_EXPORT int cuCtxGetDevice(int *device)
{
  if (need_context() != OK) return need_context();
  if (!device) return INVALID_VALUE;
  *device = current_device();
  return OK;
}

CUDA_EXPORT int cuCtxGetDevice_v2(int *device, void *context)
{
  if (!context) return cuCtxGetDevice(device);
  if (!object_is(context, OBJECT_CONTEXT)) return INVALID_CONTEXT;
  *device = ((const Object *)context)->device;
  return OK;
}

CUDA_EXPORT int cuCtxCreate_v2(void **context, unsigned flags, int device)
{
  if (need_device(device) != OK) return need_device(device);
  if (!context) return INVALID_VALUE;
  Object *made = object_new(OBJECT_CONTEXT);
  if (!made) return OUT_OF_MEMORY;
  made->device = device;
  made->flags = flags;
  *context = made;
  return cuCtxPushCurrent_v2(made);
}

CUDA_EXPORT int cuCtxDestroy_v2(void *context)
{
  if (!object_is(context, OBJECT_CONTEXT)) return INVALID_CONTEXT;
  if (current_context() == context) --depth;
  object_free(context);
  return OK;
}

CUDA_EXPORT int cuCtxGetFlags(unsigned *flags)
{
  if (need_context() != OK) return need_context();
  *flags = current_context()->flags;
  return OK;
}

CUDA_EXPORT int cuCtxGetId(void *context, unsigned long long *id)
{
  const Object *of = context ? context : current_context();
  if (!object_is(of, OBJECT_CONTEXT)) return INVALID_CONTEXT;
  *id = (unsigned long long)(uintptr_t)of;
  return OK;
}

CUDA_EXPORT int cuCtxGetApiVersion(void *context, unsigned *version)
{
  (void)context;
  enum { API_VERSION = 3020 };
  *version = API_VERSION;
  return OK;
}

CUDA_EXPORT int cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
  if (need_context() != OK) return need_context();
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return OK;
}

CUDA_EXPORT int cuCtxGetLimit(size_t *value, int limit)
{
  (void)limit;
  if (need_context() != OK) return need_context();
  *value = 1024;
  return OK;
}

CUDA_EXPORT int cuCtxSetLimit(int limit, size_t value)
{
  (void)limit, (void)value;
  return need_context();
}

CUDA_EXPORT int cuCtxSetCacheConfig(int config)
{
  (void)config;
  return need_context();
}

CUDA_EXPORT int cuCtxEnablePeerAccess(void *peer, unsigned flags)
{
  (void)flags;
  if (need_context() != OK) return need_context();
  return object_is(peer, OBJECT_CONTEXT) ? OK : INVALID_CONTEXT;
}

CUDA_EXPORT int cuCtxSynchronize(void)
{
  if (need_context() != OK) return need_context();
  CudaWork work = {.device = current_device(), .waits = true};
  account_note(CUDA_SYNCHRONIZE, &work);
  return OK;
}

// --- Errors --------------------------------------------------------------------------------------

static const struct {
  int error;
  const char *name, *text;
} errors[] = {
    {OK, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static int find_error(int error)
{
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i)
    if (errors[i].error == error) return (int)i;
  return -1;
}

CUDA_EXPORT int cuGetErrorName(int error, const char **name)
{
  int found = find_error(error);
  if (!name) return INVALID_VALUE;
  *name = found < 0 ? NULL : errors[found].name;
  return found < 0 ? INVALID_VALUE : OK;
}

CUDA_EXPORT int cuGetErrorString(int error, const char **text)
{
  int found = find_error(error);
  if (!text) return INVALID_VALUE;
  *text = found < 0 ? NULL : errors[found].text;
  return found < 0 ? INVALID_VALUE : OK;
}
