// SPDX-License-Identifier: Apache-2.0
// The stand-in for the driver: launches. They are checked as far as the real driver checks them
// when it is called, noted, and do nothing.
#include <stdio.h>
#include <string.h>

#include "cuda/driver.h"
#include "cuda/state.h"

// As in the driver's documentation.
typedef struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  void *stream;
  const void *attributes;
  unsigned attribute_count;
} LaunchConfig;

static bool within_limits(const LaunchConfig *config, const Object *function)
{
  static const unsigned grid_most[3] = {2147483647, 65535, 65535}, block_most[3] = {1024, 1024, 64};
  unsigned long long threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (config->grid[i] == 0 || config->grid[i] > grid_most[i]) return false;
    if (config->block[i] == 0 || config->block[i] > block_most[i]) return false;
    threads *= config->block[i];
  }
  return threads <= 1024 && config->shared <= (unsigned)function->shared_most;
}

// The words of `extra`: a mark, its value, and so on.
static const unsigned char *find_buffer(void **extra, size_t *size)
{
  enum { END, BUFFER, SIZE, MARKS_MAX = 8 };
  const unsigned char *buffer = NULL;
  for (int i = 0; i < MARKS_MAX && (uintptr_t)extra[0] != END; ++i, extra += 2) {
    if ((uintptr_t)extra[0] == BUFFER) buffer = extra[1];
    if ((uintptr_t)extra[0] == SIZE) memcpy(size, extra[1], sizeof *size);
  }
  return buffer;
}

static void copy_arguments(CudaWork *work, const ImageKernel *kernel, void **arguments,
                           void **extra)
{
  size_t size = 0;
  const unsigned char *buffer = extra ? find_buffer(extra, &size) : NULL;
  if (!kernel->has_arguments || (!arguments && !buffer && kernel->argument_count)) return;
  for (unsigned i = 0; i < kernel->argument_count; ++i) {
    size_t at = kernel->argument_at[i], length = kernel->argument_size[i];
    if (at + length > CUDA_ARGUMENT_BYTES) return;
    if (!arguments && at + length > size) return;
    uintptr_t from = arguments ? (uintptr_t)arguments[i] : (uintptr_t)buffer + at;
    if (!read_safely(work->arguments + at, from, length)) return;
    work->argument_at[i] = kernel->argument_at[i];
    work->argument_size[i] = kernel->argument_size[i];
  }
  work->argument_count = kernel->argument_count;
  work->has_arguments = true;
}

static int launch(const LaunchConfig *config, void *handle, void **arguments, void **extra)
{
  int device = 0, error = need_context();
  if (error == OK) error = check_stream(config->stream, &device);
  if (error == OK && !object_is(handle, OBJECT_FUNCTION)) error = INVALID_HANDLE;
  if (error != OK) return error;
  const Object *function = handle;
  CudaWork work = {.device = device, .stream = config->stream, .shared = config->shared};
  memcpy(work.grid, config->grid, sizeof work.grid);
  memcpy(work.block, config->block, sizeof work.block);
  memcpy(work.name, function->kernel.name, sizeof work.name);
  if (account_refuses(CUDA_LAUNCH))
    work.error = LAUNCH_OUT_OF_RESOURCES;
  else if (!within_limits(config, function) || (arguments && extra))
    work.error = INVALID_VALUE;
  else
    copy_arguments(&work, &function->kernel, arguments, extra);
  account_note(CUDA_LAUNCH, &work);
  return work.error;
}

CUDA_EXPORT int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned block_x, unsigned block_y, unsigned block_z,
                               unsigned shared, void *stream, void **arguments, void **extra)
{
  LaunchConfig config = {.grid = {grid_x, grid_y, grid_z},
                         .block = {block_x, block_y, block_z},
                         .shared = shared,
                         .stream = stream};
  return launch(&config, function, arguments, extra);
}

CUDA_EXPORT int cuLaunchKernelEx(const LaunchConfig *config, void *function, void **arguments,
                                 void **extra)
{
  return config ? launch(config, function, arguments, extra) : INVALID_VALUE;
}

CUDA_EXPORT int cuLaunchCooperativeKernel(void *function, unsigned grid_x, unsigned grid_y,
                                          unsigned grid_z, unsigned block_x, unsigned block_y,
                                          unsigned block_z, unsigned shared, void *stream,
                                          void **arguments)
{
  return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
                        arguments, NULL);
}

// --- Tensor maps ---------------------------------------------------------------------------------

// A description of a tensor that kernels take as an argument, of 128 bytes. What the real one has
// in them is not documented; here it is the address, and a digest of the rest.
typedef struct TensorMap {
  uintptr_t address;
  uint64_t digest[15];
} TensorMap;

static void digest(uint64_t *into, const void *bytes, size_t size)
{
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < size; ++i) *into = (*into ^ byte[i]) * 0x100000001b3u;
}

CUDA_EXPORT int cuTensorMapEncodeTiled(TensorMap *map, int type, unsigned rank, void *address,
                                       const uint64_t *extents, const uint64_t *strides,
                                       const uint32_t *box, const uint32_t *steps, int interleave,
                                       int swizzle, int promotion, int fill)
{
  enum { MAP_ALIGNMENT = 64, ADDRESS_ALIGNMENT = 16, RANK_MOST = 5, BOX_MOST = 256, STEP_MOST = 8 };
  int words[] = {type, (int)rank, interleave, swizzle, promotion, fill};
  if (!map || (uintptr_t)map % MAP_ALIGNMENT || (uintptr_t)address % ADDRESS_ALIGNMENT)
    return INVALID_VALUE;
  if (rank == 0 || rank > RANK_MOST) return INVALID_VALUE;
  *map = (TensorMap){.address = (uintptr_t)address};
  for (unsigned i = 0; i < rank; ++i) {
    if (extents[i] == 0 || extents[i] > (uint64_t)1 << 32) return INVALID_VALUE;
    if (box[i] == 0 || box[i] > BOX_MOST || steps[i] == 0 || steps[i] > STEP_MOST)
      return INVALID_VALUE;
    if (i + 1 < rank && (strides[i] % ADDRESS_ALIGNMENT || strides[i] >= (uint64_t)1 << 40))
      return INVALID_VALUE;
  }
  digest(&map->digest[0], words, sizeof words);
  digest(&map->digest[1], extents, rank * sizeof *extents);
  if (rank > 1) digest(&map->digest[2], strides, (rank - 1) * sizeof *strides);
  digest(&map->digest[3], box, rank * sizeof *box);
  digest(&map->digest[4], steps, rank * sizeof *steps);
  return OK;
}

CUDA_EXPORT int cuTensorMapReplaceAddress(TensorMap *map, void *address)
{
  if (!map || (uintptr_t)address % 16) return INVALID_VALUE;
  map->address = (uintptr_t)address;
  return OK;
}
