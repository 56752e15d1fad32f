// SPDX-License-Identifier: Apache-2.0
// add_one(x, y) of ../kernels, for vectors on a CUDA device: launches a kernel through the CUDA
// runtime, as the code does that nvcc makes. An including file may say on which stream (STREAM),
// what is done before the launch (BESIDES) and after it (AFTERWARDS), and what is looked at to tell
// whether it failed (ERROR).
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_STAND_IN_ADD_ONE_BY_RUNTIME_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_STAND_IN_ADD_ONE_BY_RUNTIME_H_

#include <stddef.h>

#ifndef STREAM
#define STREAM TVMFFIEnvGetStream(x->device.device_type, x->device.device_id)
#endif
#ifndef BESIDES
#define BESIDES (void)0
#endif
#ifndef AFTERWARDS
#define AFTERWARDS (void)0
#endif
#ifndef ERROR
#define ERROR cudaGetLastError()
#endif

#define IS_RIGHT_DEVICE(device) ((device).device_type == kDLCUDA)
#define DEVICE_COMPLAINT "is not on CUDA"
#define COMPUTE                                                    \
  if (x->device.device_id != y->device.device_id)                  \
    return FAIL("ValueError", "x and y are on different devices"); \
  if (x->shape[0] == 0) return 0;                                  \
  BESIDES;                                                         \
  launch(from, to, (unsigned long long)x->shape[0], STREAM);       \
  AFTERWARDS;                                                      \
  if (ERROR != 0) return FAIL("RuntimeError", "x can't be worked on: the runtime tells of an error")

static void launch(const float *from, float *to, unsigned long long count, void *stream);
static void *workspace;

// As NVIDIA's documentation and the code of its compiler have them.
typedef struct Size3 {
  unsigned x, y, z;
} Size3;

void **__cudaRegisterFatBinary(void *image);
void __cudaUnregisterFatBinary(void **image);
void __cudaRegisterFunction(void **image, const char *host, char *name_of_host, const char *name,
                            int limit, void *thread, void *block, void *block_size, void *grid_size,
                            int *warp_size);
int cudaLaunchKernel(const void *kernel, Size3 grid, Size3 block, void **arguments, size_t shared,
                     void *stream);
int cudaGetLastError(void);
int cudaMallocAsync(void **memory, size_t size, void *stream);
int cudaFreeAsync(void *memory, void *stream);
int cudaMemsetAsync(void *memory, int value, size_t size, void *stream);

#include "../kernels/add_one.h"

static char image[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".visible .entry add_one(.param .u64 x, .param .u64 y, .param .u64 n, .param .u64 workspace)\n{\n  ret;\n}\n";
static char kernel;  // its address stands for the kernel
static void **registered;
static void *workspace;  // memory of the device, where a kernel needs any

__attribute__((constructor)) static void register_kernel(void)
{
  registered = __cudaRegisterFatBinary(image);
  __cudaRegisterFunction(registered, &kernel, "add_one", "add_one", -1, NULL, NULL, NULL, NULL,
                         NULL);
}

__attribute__((destructor)) static void unregister_kernel(void)
{
  __cudaUnregisterFatBinary(registered);
}

static void launch(const float *from, float *to, unsigned long long count, void *stream)
{
  enum { BLOCK = 128 };
  void *arguments[] = {&from, &to, &count, &workspace};
  Size3 grid = {(unsigned)((count + BLOCK - 1) / BLOCK), 1, 1}, block = {BLOCK, 1, 1};
  cudaLaunchKernel(&kernel, grid, block, arguments, 0, stream);
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_STAND_IN_ADD_ONE_BY_RUNTIME_H_
