// SPDX-License-Identifier: Apache-2.0
// Functions of the CUDA driver, declared by us from its public documentation: what the stand-in for
// the runtime and the tests call. Each returns 0 or the number of an error; handles are pointers.
#ifndef TVMFFI_CONFORMANCE_CUDA_DRIVER_H_
#define TVMFFI_CONFORMANCE_CUDA_DRIVER_H_

#include <stddef.h>
#include <stdint.h>

int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuDeviceGetCount(int *count);
int cuDeviceGetName(char *name, int size, int device);
int cuDeviceGetUuid(void *uuid, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuDeviceCanAccessPeer(int *can, int device, int peer);
int cuDeviceGetPCIBusId(char *text, int size, int device);
int cuDeviceGetDefaultMemPool(void **pool, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuCtxGetCurrent(void **context);
int cuCtxGetDevice(int *device);
int cuCtxGetLimit(size_t *value, int limit);
int cuCtxGetStreamPriorityRange(int *least, int *greatest);
int cuCtxSynchronize(void);
int cuGetErrorName(int error, const char **name);
int cuGetErrorString(int error, const char **text);

int cuMemAlloc_v2(uintptr_t *address, size_t size);
int cuMemAllocAsync(uintptr_t *address, size_t size, void *stream);
int cuMemAllocFromPoolAsync(uintptr_t *address, size_t size, void *pool, void *stream);
int cuMemAllocManaged(uintptr_t *address, size_t size, unsigned flags);
int cuMemAllocPitch_v2(uintptr_t *address, size_t *pitch, size_t width, size_t height,
                       unsigned element);
int cuMemFree_v2(uintptr_t address);
int cuMemFreeAsync(uintptr_t address, void *stream);
int cuMemHostAlloc(void **address, size_t size, unsigned flags);
int cuMemFreeHost(void *address);
int cuMemHostRegister_v2(void *address, size_t size, unsigned flags);
int cuMemHostUnregister(void *address);
int cuMemHostGetDevicePointer_v2(uintptr_t *on_device, void *address, unsigned flags);
int cuMemGetInfo_v2(size_t *left, size_t *total);
int cuMemPoolGetAttribute(void *pool, int attribute, void *value);
int cuMemPoolSetAttribute(void *pool, int attribute, void *value);
int cuMemPoolTrimTo(void *pool, size_t keep);
int cuPointerGetAttribute(void *value, int attribute, uintptr_t address);
int cuMemcpy(uintptr_t to, uintptr_t from, size_t size);
int cuMemcpyAsync(uintptr_t to, uintptr_t from, size_t size, void *stream);
int cuMemcpyHtoD_v2(uintptr_t to, const void *from, size_t size);
int cuMemcpyDtoH_v2(void *to, uintptr_t from, size_t size);
int cuMemsetD8_v2(uintptr_t to, unsigned char value, size_t count);
int cuMemsetD8Async(uintptr_t to, unsigned char value, size_t count, void *stream);
int cuMemsetD32Async(uintptr_t to, unsigned value, size_t count, void *stream);

int cuStreamCreate(void **stream, unsigned flags);
int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority);
int cuStreamDestroy_v2(void *stream);
int cuStreamSynchronize(void *stream);
int cuStreamQuery(void *stream);
int cuStreamWaitEvent(void *stream, void *event, unsigned flags);
int cuStreamGetFlags(void *stream, unsigned *flags);
int cuStreamGetPriority(void *stream, int *priority);
int cuStreamGetDevice(void *stream, int *device);
int cuStreamGetId(void *stream, unsigned long long *id);
int cuStreamIsCapturing(void *stream, int *status);
int cuStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *context,
                        unsigned flags);
int cuLaunchHostFunc(void *stream, void (*function)(void *), void *context);
int cuEventCreate(void **event, unsigned flags);
int cuEventDestroy_v2(void *event);
int cuEventRecord(void *event, void *stream);
int cuEventQuery(void *event);
int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *ms, void *from, void *to);

int cuModuleLoadData(void **module, const void *image);
int cuModuleUnload(void *module);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetGlobal_v2(uintptr_t *address, size_t *size, void *module, const char *name);
int cuLibraryLoadData(void **library, const void *image, int *jit, void **jit_values,
                      unsigned jit_count, int *options, void **values, unsigned count);
int cuLibraryLoadFromFile(void **library, const char *path, int *jit, void **jit_values,
                          unsigned jit_count, int *options, void **values, unsigned count);
int cuLibraryUnload(void *library);
int cuLibraryGetKernel(void **kernel, void *library, const char *name);
int cuLibraryGetGlobal(uintptr_t *address, size_t *size, void *library, const char *name);
int cuKernelGetFunction(void **function, void *kernel);
int cuFuncGetName(const char **name, void *function);
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size);
int cuFuncGetAttribute(int *value, int attribute, void *function);
int cuFuncSetAttribute(void *function, int attribute, int value);
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int size,
                                                size_t shared);
int cuOccupancyMaxActiveClusters(int *clusters, void *function, const void *config);
int cuOccupancyMaxPotentialClusterSize(int *size, void *function, const void *config);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **arguments, void **extra);
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                        int *status);

// Of the stand-in alone: a kernel that a CUDA runtime has registered, of which the image need not
// tell; and a call of a function that is not there, which fails.
int tvmffi_cuda_registered(void **function, void *module, const char *name);
int tvmffi_cuda_lacking(const char *what);

#endif  // TVMFFI_CONFORMANCE_CUDA_DRIVER_H_
