// SPDX-License-Identifier: Apache-2.0
// The stand-in for the dynamic CUDA runtime, a layer above that for the driver. It is built once
// for each major version (CUDA_MAJOR), as version 12 and 13 differ in the layout of some structs.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cuda/driver.h"
#include "cuda/runtime.h"

#define API __attribute__((visibility("default"))) int

// Numbers of the runtime's errors where they are not the driver's.
enum { INVALID_CONFIGURATION = 9, INVALID_SYMBOL = 13, INVALID_DEVICE_FUNCTION = 98 };
enum { OK = 0, INVALID_VALUE = 1, NOT_READY = 600 };

static __thread int last_error;

int runtime_end(int error)
{
  if (error != OK && error != NOT_READY) last_error = error;
  return error;
}

int runtime_begin(void)
{
  void *context = NULL;
  int error = cuInit(0);
  if (error == OK) error = cuCtxGetCurrent(&context);
  if (error == OK && !context) {
    error = cuDevicePrimaryCtxRetain(&context, 0);
    if (error == OK) error = cuCtxSetCurrent(context);
  }
  return error;
}

// The usual function: the context is made where there is none, then the driver is asked.
#define RUN(call) return runtime_end(runtime_begin() == OK ? (call) : runtime_begin())

// --- Errors --------------------------------------------------------------------------------------

API cudaGetLastError(void)
{
  int error = last_error;
  last_error = OK;
  return error;
}

API cudaPeekAtLastError(void)
{
  return last_error;
}

__attribute__((visibility("default"))) const char *cudaGetErrorName(int error)
{
  const char *name = NULL;
  if (error == OK) return "cudaSuccess";
  if (error == INVALID_VALUE) return "cudaErrorInvalidValue";
  if (error == 2) return "cudaErrorMemoryAllocation";
  if (error == 701) return "cudaErrorLaunchOutOfResources";
  if (error == INVALID_CONFIGURATION) return "cudaErrorInvalidConfiguration";
  if (error == INVALID_SYMBOL) return "cudaErrorInvalidSymbol";
  if (error == INVALID_DEVICE_FUNCTION) return "cudaErrorInvalidDeviceFunction";
  return cuGetErrorName(error, &name) == OK ? name : "unrecognized error code";
}

__attribute__((visibility("default"))) const char *cudaGetErrorString(int error)
{
  const char *text = NULL;
  if (error == INVALID_CONFIGURATION) return "invalid configuration argument";
  if (error == INVALID_SYMBOL) return "invalid device symbol";
  if (error == INVALID_DEVICE_FUNCTION) return "invalid device function";
  return cuGetErrorString(error, &text) == OK ? text : "unrecognized error code";
}

// --- Devices -------------------------------------------------------------------------------------

API cudaDriverGetVersion(int *version)
{
  return runtime_end(cuDriverGetVersion(version));
}

API cudaRuntimeGetVersion(int *version)
{
  if (!version) return runtime_end(INVALID_VALUE);
  *version = CUDA_MAJOR == 12 ? 12090 : 13000;
  return OK;
}

API cudaGetDeviceCount(int *count)
{
  RUN(cuDeviceGetCount(count));
}

API cudaGetDevice(int *device)
{
  RUN(cuCtxGetDevice(device));
}

API cudaSetDevice(int device)
{
  void *context = NULL;
  int error = cuInit(0);
  if (error == OK) error = cuDevicePrimaryCtxRetain(&context, device);
  return runtime_end(error == OK ? cuCtxSetCurrent(context) : error);
}

API cudaInitDevice(int device, unsigned flags, unsigned which)
{
  void *context = NULL;
  (void)flags, (void)which;
  int error = cuInit(0);
  return runtime_end(error == OK ? cuDevicePrimaryCtxRetain(&context, device) : error);
}

API cudaDeviceGetAttribute(int *value, int attribute, int device)
{
  RUN(cuDeviceGetAttribute(value, attribute, device));
}

API cudaDeviceGetPCIBusId(char *text, int size, int device)
{
  RUN(cuDeviceGetPCIBusId(text, size, device));
}

API cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
  RUN(cuDeviceCanAccessPeer(can, device, peer));
}

API cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
  (void)peer, (void)flags;
  RUN(OK);
}

API cudaDeviceGetDefaultMemPool(void **pool, int device)
{
  RUN(cuDeviceGetDefaultMemPool(pool, device));
}

API cudaDeviceGetMemPool(void **pool, int device)
{
  RUN(cuDeviceGetDefaultMemPool(pool, device));
}

API cudaDeviceGetLimit(size_t *value, int limit)
{
  RUN(cuCtxGetLimit(value, limit));
}

API cudaDeviceSetLimit(int limit, size_t value)
{
  (void)limit, (void)value;
  RUN(OK);
}

API cudaDeviceSetCacheConfig(int config)
{
  (void)config;
  RUN(OK);
}

API cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
  RUN(cuCtxGetStreamPriorityRange(least, greatest));
}

API cudaGetDeviceFlags(unsigned *flags)
{
  if (!flags) return runtime_end(INVALID_VALUE);
  *flags = 0;
  RUN(OK);
}

API cudaSetDeviceFlags(unsigned flags)
{
  (void)flags;
  RUN(OK);
}

API cudaDeviceSynchronize(void)
{
  RUN(cuCtxSynchronize());
}

API cudaProfilerStart(void)
{
  return OK;
}

API cudaProfilerStop(void)
{
  return OK;
}

// Where the members are in the struct of properties of version 12 and of 13; 0: there is none.
typedef struct Member {
  unsigned at_12, at_13, size;
  int attribute;
} Member;

static int fill_properties(unsigned char *properties, int device, bool twelve)
{
  enum { SIZE_12 = 1032, SIZE_13 = 1008, UUID_AT = 256, TOTAL_AT = 288, NAME_SIZE = 256 };
  static const Member members[] = {
      {296, 296, 8, 8},   {304, 304, 4, 12},  {308, 308, 4, 10},  {312, 312, 8, 11},
      {320, 320, 4, 1},   {324, 324, 4, 2},   {328, 328, 4, 3},   {332, 332, 4, 4},
      {336, 336, 4, 5},   {340, 340, 4, 6},   {344, 344, 4, 7},   {348, 0, 4, 13},
      {352, 352, 8, 9},   {360, 360, 4, 75},  {364, 364, 4, 76},  {368, 368, 8, 14},
      {388, 384, 4, 16},  {576, 560, 4, 31},  {580, 564, 4, 32},  {584, 568, 4, 33},
      {600, 584, 4, 40},  {604, 588, 4, 41},  {608, 0, 4, 36},    {612, 592, 4, 37},
      {616, 596, 4, 38},  {624, 604, 4, 39},  {628, 608, 4, 78},  {640, 624, 8, 81},
      {648, 632, 4, 82},  {652, 636, 4, 83},  {688, 668, 4, 95},  {696, 672, 8, 97},
      {712, 688, 4, 106}, {720, 696, 8, 111}, {744, 720, 4, 115}, {772, 748, 4, 120},
  };
  memset(properties, 0, twelve ? SIZE_12 : SIZE_13);
  int error = cuDeviceGetName((char *)properties, NAME_SIZE, device);
  if (error != OK) return error;
  size_t total = 0;
  cuDeviceGetUuid(properties + UUID_AT, device);
  cuDeviceTotalMem_v2(&total, device);
  memcpy(properties + TOTAL_AT, &total, sizeof total);
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
    unsigned at = twelve ? members[i].at_12 : members[i].at_13;
    int value = 0;
    if (!at) continue;
    cuDeviceGetAttribute(&value, members[i].attribute, device);
    uint64_t wide = (uint64_t)value;
    uint32_t narrow = (uint32_t)value;
    if (members[i].size == sizeof wide)
      memcpy(properties + at, &wide, sizeof wide);
    else
      memcpy(properties + at, &narrow, sizeof narrow);
  }
  return OK;
}

#if CUDA_MAJOR == 12
API cudaGetDeviceProperties_v2(void *properties, int device)
{
  RUN(fill_properties(properties, device, true));
}

// The struct of version 11, whose size is less, and of which nobody needs more.
API cudaGetDeviceProperties(void *properties, int device)
{
  (void)properties, (void)device;
  return runtime_end(tvmffi_cuda_lacking("cudaGetDeviceProperties of CUDA 11"));
}
#else
API cudaGetDeviceProperties(void *properties, int device)
{
  RUN(fill_properties(properties, device, false));
}
#endif

// --- Memory --------------------------------------------------------------------------------------

// What a request for nothing gives, as documented: no memory, and no error.
static int give_nothing(void *out)
{
  memset(out, 0, sizeof(void *));
  return OK;
}

API cudaMalloc(uintptr_t *address, size_t size)
{
  if (!address) return runtime_end(INVALID_VALUE);
  RUN(size ? cuMemAlloc_v2(address, size) : give_nothing(address));
}

API cudaMallocAsync(uintptr_t *address, size_t size, void *stream)
{
  if (!address) return runtime_end(INVALID_VALUE);
  RUN(size ? cuMemAllocAsync(address, size, stream) : give_nothing(address));
}

API cudaMallocFromPoolAsync(uintptr_t *address, size_t size, void *pool, void *stream)
{
  RUN(size ? cuMemAllocFromPoolAsync(address, size, pool, stream) : give_nothing(address));
}

API cudaMallocManaged(uintptr_t *address, size_t size, unsigned flags)
{
  RUN(size ? cuMemAllocManaged(address, size, flags) : give_nothing(address));
}

API cudaMallocPitch(uintptr_t *address, size_t *pitch, size_t width, size_t height)
{
  RUN(cuMemAllocPitch_v2(address, pitch, width, height, sizeof(int)));
}

API cudaFree(uintptr_t address)
{
  RUN(cuMemFree_v2(address));
}

API cudaFreeAsync(uintptr_t address, void *stream)
{
  RUN(cuMemFreeAsync(address, stream));
}

API cudaMallocHost(void **address, size_t size)
{
  RUN(size ? cuMemHostAlloc(address, size, 0) : give_nothing(address));
}

API cudaHostAlloc(void **address, size_t size, unsigned flags)
{
  RUN(size ? cuMemHostAlloc(address, size, flags) : give_nothing(address));
}

API cudaFreeHost(void *address)
{
  RUN(cuMemFreeHost(address));
}

API cudaHostRegister(void *address, size_t size, unsigned flags)
{
  RUN(cuMemHostRegister_v2(address, size, flags));
}

API cudaHostUnregister(void *address)
{
  RUN(cuMemHostUnregister(address));
}

API cudaHostGetDevicePointer(uintptr_t *on_device, void *address, unsigned flags)
{
  RUN(cuMemHostGetDevicePointer_v2(on_device, address, flags));
}

API cudaMemGetInfo(size_t *left, size_t *total)
{
  RUN(cuMemGetInfo_v2(left, total));
}

API cudaMemPoolGetAttribute(void *pool, int attribute, void *value)
{
  RUN(cuMemPoolGetAttribute(pool, attribute, value));
}

API cudaMemPoolSetAttribute(void *pool, int attribute, void *value)
{
  RUN(cuMemPoolSetAttribute(pool, attribute, value));
}

API cudaMemPoolTrimTo(void *pool, size_t keep)
{
  RUN(cuMemPoolTrimTo(pool, keep));
}

// Hints, which change nothing that can be seen.
API cudaMemAdvise(void)
{
  RUN(OK);
}

API cudaMemPrefetchAsync(void)
{
  RUN(OK);
}

API cudaMemcpy(uintptr_t to, uintptr_t from, size_t size, int kind)
{
  enum { HOST_TO_HOST = 0, DEFAULT = 4, INVALID_DIRECTION = 21 };
  if (kind < HOST_TO_HOST || kind > DEFAULT) return runtime_end(INVALID_DIRECTION);
  RUN(cuMemcpy(to, from, size));
}

API cudaMemcpyAsync(uintptr_t to, uintptr_t from, size_t size, int kind, void *stream)
{
  (void)kind;
  RUN(cuMemcpyAsync(to, from, size, stream));
}

API cudaMemcpyPeer(uintptr_t to, int to_device, uintptr_t from, int from_device, size_t size)
{
  (void)to_device, (void)from_device;
  RUN(cuMemcpy(to, from, size));
}

API cudaMemcpyPeerAsync(uintptr_t to, int to_device, uintptr_t from, int from_device, size_t size,
                        void *stream)
{
  (void)to_device, (void)from_device;
  RUN(cuMemcpyAsync(to, from, size, stream));
}

API cudaMemcpy2DAsync(uintptr_t to, size_t to_pitch, uintptr_t from, size_t from_pitch,
                      size_t width, size_t height, int kind, void *stream)
{
  (void)kind;
  int error = runtime_begin();
  for (size_t i = 0; i < height && error == OK; ++i)
    error = cuMemcpyAsync(to + i * to_pitch, from + i * from_pitch, width, stream);
  return runtime_end(error);
}

API cudaMemcpy2D(uintptr_t to, size_t to_pitch, uintptr_t from, size_t from_pitch, size_t width,
                 size_t height, int kind)
{
  (void)kind;
  int error = runtime_begin();
  for (size_t i = 0; i < height && error == OK; ++i)
    error = cuMemcpy(to + i * to_pitch, from + i * from_pitch, width);
  return runtime_end(error);
}

API cudaMemset(uintptr_t to, int value, size_t count)
{
  RUN(cuMemsetD8_v2(to, (unsigned char)value, count));
}

API cudaMemsetAsync(uintptr_t to, int value, size_t count, void *stream)
{
  RUN(cuMemsetD8Async(to, (unsigned char)value, count, stream));
}

API cudaMemset2DAsync(uintptr_t to, size_t pitch, int value, size_t width, size_t height,
                      void *stream)
{
  int error = runtime_begin();
  for (size_t i = 0; i < height && error == OK; ++i)
    error = cuMemsetD8Async(to + i * pitch, (unsigned char)value, width, stream);
  return runtime_end(error);
}

typedef struct PointerAttributes {
  int type, device;
  uintptr_t on_device, on_host;
} PointerAttributes;

API cudaPointerGetAttributes(PointerAttributes *attributes, uintptr_t address)
{
  enum { TYPE = 2, ORDINAL = 9, HOST = 1, DEVICE_UNKNOWN = -2 };
  unsigned type = 0;
  int device = 0, error = runtime_begin();
  if (error != OK || !attributes) return runtime_end(error != OK ? error : INVALID_VALUE);
  *attributes = (PointerAttributes){.device = DEVICE_UNKNOWN, .on_host = address};
  if (cuPointerGetAttribute(&type, TYPE, address) != OK) return OK;
  cuPointerGetAttribute(&device, ORDINAL, address);
  *attributes = (PointerAttributes){(int)type, device, address, type == HOST ? address : 0};
  return OK;
}

// --- Streams and events --------------------------------------------------------------------------

API cudaStreamCreate(void **stream)
{
  RUN(cuStreamCreate(stream, 0));
}

API cudaStreamCreateWithFlags(void **stream, unsigned flags)
{
  RUN(cuStreamCreate(stream, flags));
}

API cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority)
{
  RUN(cuStreamCreateWithPriority(stream, flags, priority));
}

API cudaStreamDestroy(void *stream)
{
  RUN(cuStreamDestroy_v2(stream));
}

API cudaStreamSynchronize(void *stream)
{
  RUN(cuStreamSynchronize(stream));
}

API cudaStreamQuery(void *stream)
{
  RUN(cuStreamQuery(stream));
}

API cudaStreamWaitEvent(void *stream, void *event, unsigned flags)
{
  RUN(cuStreamWaitEvent(stream, event, flags));
}

API cudaStreamGetFlags(void *stream, unsigned *flags)
{
  RUN(cuStreamGetFlags(stream, flags));
}

API cudaStreamGetPriority(void *stream, int *priority)
{
  RUN(cuStreamGetPriority(stream, priority));
}

API cudaStreamGetDevice(void *stream, int *device)
{
  RUN(cuStreamGetDevice(stream, device));
}

API cudaStreamGetId(void *stream, unsigned long long *id)
{
  RUN(cuStreamGetId(stream, id));
}

API cudaStreamIsCapturing(void *stream, int *status)
{
  RUN(cuStreamIsCapturing(stream, status));
}

// Nothing is being captured: the other outputs need not be written then.
API cudaStreamGetCaptureInfo(void *stream, int *status)
{
  RUN(cuStreamIsCapturing(stream, status));
}

#if CUDA_MAJOR == 12
API cudaStreamGetCaptureInfo_v2(void *stream, int *status)
{
  RUN(cuStreamIsCapturing(stream, status));
}

API cudaStreamGetCaptureInfo_v3(void *stream, int *status)
{
  RUN(cuStreamIsCapturing(stream, status));
}
#endif

API cudaThreadExchangeStreamCaptureMode(int *mode)
{
  (void)mode;
  return OK;
}

API cudaStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *context,
                          unsigned flags)
{
  RUN(cuStreamAddCallback(stream, function, context, flags));
}

API cudaLaunchHostFunc(void *stream, void (*function)(void *), void *context)
{
  RUN(cuLaunchHostFunc(stream, function, context));
}

API cudaEventCreate(void **event)
{
  RUN(cuEventCreate(event, 0));
}

API cudaEventCreateWithFlags(void **event, unsigned flags)
{
  RUN(cuEventCreate(event, flags));
}

API cudaEventDestroy(void *event)
{
  RUN(cuEventDestroy_v2(event));
}

API cudaEventRecord(void *event, void *stream)
{
  RUN(cuEventRecord(event, stream));
}

API cudaEventRecordWithFlags(void *event, void *stream, unsigned flags)
{
  (void)flags;
  RUN(cuEventRecord(event, stream));
}

API cudaEventQuery(void *event)
{
  RUN(cuEventQuery(event));
}

API cudaEventSynchronize(void *event)
{
  RUN(cuEventSynchronize(event));
}

API cudaEventElapsedTime(float *ms, void *from, void *to)
{
  RUN(cuEventElapsedTime(ms, from, to));
}

#if CUDA_MAJOR == 12
API cudaEventElapsedTime_v2(float *ms, void *from, void *to)
{
  RUN(cuEventElapsedTime(ms, from, to));
}
#endif

// --- Functions of the driver ---------------------------------------------------------------------

API cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                     unsigned long long flags, int *status)
{
  RUN(cuGetProcAddress_v2(name, function, (int)version, flags, status));
}

API cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                            int *status)
{
  RUN(cuGetProcAddress_v2(name, function, 0, flags, status));
}

#define LACKING(name)                               \
  API name(void)                                    \
  {                                                 \
    return runtime_end(tvmffi_cuda_lacking(#name)); \
  }
#include "cuda/runtime_lacking.def"
