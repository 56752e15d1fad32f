// SPDX-License-Identifier: Apache-2.0
// The stand-in for the CUDA runtime of version CUDA_MAJOR, as the code calls it that nvcc makes.
#ifndef TVMFFI_CONFORMANCE_TESTS_CUDA_RUNTIME_TESTS_H_
#define TVMFFI_CONFORMANCE_TESTS_CUDA_RUNTIME_TESTS_H_

#include <string.h>

#include "cuda/account.h"
#include "unit/unit.h"

typedef struct Size3 {
  unsigned x, y, z;
} Size3;

void **__cudaRegisterFatBinary(void *image);
void __cudaUnregisterFatBinary(void **image);
void __cudaRegisterFunction(void **image, const char *host, char *name_of_host, const char *name,
                            int limit, void *thread, void *block, void *block_size, void *grid_size,
                            int *warp_size);
unsigned __cudaPushCallConfiguration(Size3 grid, Size3 block, size_t shared, void *stream);
int __cudaPopCallConfiguration(Size3 *grid, Size3 *block, size_t *shared, void **stream);
int cudaLaunchKernel(const void *kernel, Size3 grid, Size3 block, void **arguments, size_t shared,
                     void *stream);
int cudaGetLastError(void);
int cudaPeekAtLastError(void);
const char *cudaGetErrorName(int error);
int cudaMalloc(void **memory, size_t size);
int cudaFree(void *memory);
int cudaMemcpy(void *to, const void *from, size_t size, int kind);
int cudaGetDevice(int *device);
int cudaSetDevice(int device);
int cudaDeviceGetAttribute(int *value, int attribute, int device);
#if CUDA_MAJOR == 12
int cudaGetDeviceProperties_v2(void *properties, int device);
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
enum { PROPERTIES_SIZE = 1032, MULTIPROCESSORS_AT = 388 };
#else
int cudaGetDeviceProperties(void *properties, int device);
enum { PROPERTIES_SIZE = 1008, MULTIPROCESSORS_AT = 384 };
#endif

enum { INVALID_CONFIGURATION = 9, INVALID_DEVICE_FUNCTION = 98, INVALID_DEVICE = 101 };

static char image[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".visible .entry add_one(.param .u64 x)\n{\n  ret;\n}\n";
static char kernel;  // its address stands for the kernel
static void **registered;

static void prepare(void)
{
  registered = __cudaRegisterFatBinary(image);
  __cudaRegisterFunction(registered, &kernel, "add_one", "add_one", -1, NULL, NULL, NULL, NULL,
                         NULL);
  atomic_store(&tvmffi_cuda_account.watching, true);
}

TEST_GROUP(runtime, .setup = prepare);

TEST(a_registered_kernel_is_launched)
{
  void *memory = NULL, *arguments[] = {&memory}, *stream;
  Size3 grid = {4, 1, 1}, block = {32, 1, 1};
  size_t shared;
  ck_assert_uint_eq(__cudaPushCallConfiguration(grid, block, 16, NULL), 0);
  memset(&grid, 0, sizeof grid);
  ck_assert_int_eq(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), 0);
  ck_assert_int_eq(cudaLaunchKernel(&kernel, grid, block, arguments, shared, stream), 0);
  unsigned noted = atomic_load(&tvmffi_cuda_account.noted);
  const CudaWork *work = &tvmffi_cuda_account.work[noted - 1];
  ck_assert_str_eq(work->name, "add_one");
  ck_assert_uint_eq(work->grid[0], 4);
  ck_assert_uint_eq(work->shared, 16);
  ck_assert(work->has_arguments);
}

TEST(the_last_error_stays_until_it_is_taken)
{
  Size3 none = {0, 1, 1}, one = {1, 1, 1};
  void *memory = NULL, *arguments[] = {&memory};
  ck_assert_int_eq(cudaLaunchKernel(&kernel, none, one, arguments, 0, NULL), INVALID_CONFIGURATION);
  ck_assert_int_eq(cudaLaunchKernel(&kernel, one, one, arguments, 0, NULL), 0);
  ck_assert_int_eq(cudaPeekAtLastError(), INVALID_CONFIGURATION);
  ck_assert_int_eq(cudaGetLastError(), INVALID_CONFIGURATION);
  ck_assert_int_eq(cudaGetLastError(), 0);
  ck_assert_str_eq(cudaGetErrorName(INVALID_CONFIGURATION), "cudaErrorInvalidConfiguration");
}

TEST(what_is_not_registered_is_no_kernel)
{
  Size3 one = {1, 1, 1};
  static char other;
  ck_assert_int_eq(cudaLaunchKernel(&other, one, one, NULL, 0, NULL), INVALID_DEVICE_FUNCTION);
  __cudaUnregisterFatBinary(registered);
  ck_assert_int_eq(cudaLaunchKernel(&kernel, one, one, NULL, 0, NULL), INVALID_DEVICE_FUNCTION);
}

TEST(memory_and_devices)
{
  enum { DEFAULT = 4 };
  int device = -1, number = 42, seen = 0;
  void *memory;
  ck_assert_int_eq(cudaMalloc(&memory, 0), 0);
  ck_assert_ptr_null(memory);
  ck_assert_int_eq(cudaMalloc(&memory, sizeof number), 0);
  ck_assert_int_eq(cudaMemcpy(memory, &number, sizeof number, DEFAULT), 0);
  ck_assert_int_eq(cudaMemcpy(&seen, memory, sizeof seen, DEFAULT), 0);
  ck_assert_int_eq(seen, number);
  ck_assert_int_eq(cudaFree(memory), 0);
  ck_assert_int_eq(cudaFree(NULL), 0);
  ck_assert_int_eq(cudaSetDevice(1), 0);
  ck_assert_int_eq(cudaSetDevice(CUDA_DEVICES), INVALID_DEVICE);
  ck_assert_int_eq(cudaGetDevice(&device), 0);
  ck_assert_int_eq(device, 1);
}

TEST(properties_are_the_attributes)
{
  enum { MULTIPROCESSORS = 16 };
  unsigned char properties[PROPERTIES_SIZE + 8];
  int expected = 0, seen = 0;
  memset(properties, 0x5A, sizeof properties);
  ck_assert_int_eq(cudaGetDeviceProperties(properties, 0), 0);
  ck_assert_int_eq(cudaDeviceGetAttribute(&expected, MULTIPROCESSORS, 0), 0);
  memcpy(&seen, properties + MULTIPROCESSORS_AT, sizeof seen);
  ck_assert_int_eq(seen, expected);
  ck_assert_int_eq(properties[PROPERTIES_SIZE], 0x5A);
}

#endif  // TVMFFI_CONFORMANCE_TESTS_CUDA_RUNTIME_TESTS_H_
