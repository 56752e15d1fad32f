// SPDX-License-Identifier: Apache-2.0
// The stand-in for the driver: modules, which libraries are here, too, and functions, which kernels
// are. An image is kept by its address: whoever loads it from memory keeps it there.
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/driver.h"
#include "cuda/state.h"

static int load(void **out, const void *image)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  if (!out || !image) return INVALID_VALUE;
  CudaWork work = {.device = current_device()};
  Object *made = NULL;
  if (account_refuses(CUDA_MODULE))
    work.error = OUT_OF_MEMORY;
  else if (!image_is_one(image))
    work.error = INVALID_IMAGE;
  else if (!(made = object_new(OBJECT_MODULE)))
    work.error = OUT_OF_MEMORY;
  account_note(CUDA_MODULE, &work);
  if (!made) return work.error;
  made->image = image;
  account_gain(CUDA_MODULE);
  *out = made;
  return OK;
}

static int unload(void *handle)
{
  if (!object_is(handle, OBJECT_MODULE)) return INVALID_HANDLE;
  Object *module = handle;
  for (Object *function = module->next, *next; function; function = next) {
    next = function->next;
    object_free(function);
  }
  object_free(module);
  account_lose(CUDA_MODULE);
  return OK;
}

static int find(void **out, void *handle, const char *name, bool registered)
{
  if (!object_is(handle, OBJECT_MODULE)) return INVALID_HANDLE;
  if (!out || !name) return INVALID_VALUE;
  Object *module = handle;
  ImageKernel kernel;
  ImageAnswer answer = image_find_kernel(module->image, name, &kernel);
  if (answer == IMAGE_LACKS && !registered) return NOT_FOUND;
  if (answer == IMAGE_BROKEN && !registered) return INVALID_IMAGE;
  Object *made = object_new(OBJECT_FUNCTION);
  if (!made) return OUT_OF_MEMORY;
  enum { SHARED_PER_BLOCK = 48 * 1024 };
  made->module = module;
  made->kernel = kernel;
  made->shared_most = SHARED_PER_BLOCK;
  pthread_mutex_lock(&cuda_lock);
  made->next = module->next;
  module->next = made;
  pthread_mutex_unlock(&cuda_lock);
  *out = made;
  return OK;
}

// A variable gets memory of its own for each look-up, which lives as long as the process: it is
// part of the module, and no loss.
static int find_variable(uintptr_t *address, size_t *size, void *handle, const char *name)
{
  size_t found = 0;
  if (!object_is(handle, OBJECT_MODULE)) return INVALID_HANDLE;
  ImageAnswer answer = image_find_variable(((const Object *)handle)->image, name, &found);
  if (answer == IMAGE_HIDES) return tvmffi_cuda_lacking("the variables of a compressed image");
  if (answer != IMAGE_HAS) return NOT_FOUND;
  uintptr_t made = memory_new(found ? found : 1, current_device(), false);
  if (!made) return OUT_OF_MEMORY;
  account_lose(CUDA_ALLOCATION);
  atomic_fetch_sub(&tvmffi_cuda_account.live_bytes, found ? found : 1);
  if (address) *address = made;
  if (size) *size = found;
  return OK;
}

CUDA_EXPORT int tvmffi_cuda_registered(void **function, void *module, const char *name)
{
  return find(function, module, name, true);
}

// --- Modules -------------------------------------------------------------------------------------

CUDA_EXPORT int cuModuleLoadData(void **module, const void *image)
{
  return need_context() != OK ? need_context() : load(module, image);
}

CUDA_EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                                   void **values)
{
  (void)count, (void)options, (void)values;
  return cuModuleLoadData(module, image);
}

CUDA_EXPORT int cuModuleLoadFatBinary(void **module, const void *image)
{
  return cuModuleLoadData(module, image);
}

static const void *map_file(const char *path)
{
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat facts;
  void *at = MAP_FAILED;
  if (file >= 0 && fstat(file, &facts) == 0 && facts.st_size > 0)
    at = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (file >= 0) close(file);
  return at == MAP_FAILED ? NULL : at;
}

CUDA_EXPORT int cuModuleLoad(void **module, const char *path)
{
  enum { FILE_NOT_FOUND = 301 };
  const void *image = map_file(path);
  return image ? cuModuleLoadData(module, image) : FILE_NOT_FOUND;
}

CUDA_EXPORT int cuModuleUnload(void *module)
{
  return unload(module);
}

CUDA_EXPORT int cuModuleGetFunction(void **function, void *module, const char *name)
{
  return find(function, module, name, false);
}

CUDA_EXPORT int cuModuleGetGlobal_v2(uintptr_t *address, size_t *size, void *module,
                                     const char *name)
{
  return find_variable(address, size, module, name);
}

CUDA_EXPORT int cuModuleGetLoadingMode(int *mode)
{
  enum { LAZY = 2 };
  *mode = LAZY;
  return OK;
}

// --- Libraries -----------------------------------------------------------------------------------

CUDA_EXPORT int cuLibraryLoadData(void **library, const void *image, int *jit, void **jit_values,
                                  unsigned jit_count, int *options, void **values, unsigned count)
{
  (void)jit, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
  return load(library, image);
}

CUDA_EXPORT int cuLibraryLoadFromFile(void **library, const char *path, int *jit, void **jit_values,
                                      unsigned jit_count, int *options, void **values,
                                      unsigned count)
{
  enum { FILE_NOT_FOUND = 301 };
  const void *image = map_file(path);
  (void)jit, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
  return image ? load(library, image) : FILE_NOT_FOUND;
}

CUDA_EXPORT int cuLibraryUnload(void *library)
{
  return unload(library);
}

CUDA_EXPORT int cuLibraryGetKernel(void **kernel, void *library, const char *name)
{
  return find(kernel, library, name, false);
}

CUDA_EXPORT int cuLibraryGetModule(void **module, void *library)
{
  if (!object_is(library, OBJECT_MODULE)) return INVALID_HANDLE;
  *module = library;
  return OK;
}

CUDA_EXPORT int cuLibraryGetGlobal(uintptr_t *address, size_t *size, void *library,
                                   const char *name)
{
  return find_variable(address, size, library, name);
}

CUDA_EXPORT int cuKernelGetFunction(void **function, void *kernel)
{
  if (!object_is(kernel, OBJECT_FUNCTION)) return INVALID_HANDLE;
  *function = kernel;
  return OK;
}

CUDA_EXPORT int cuKernelGetLibrary(void **library, void *kernel)
{
  if (!object_is(kernel, OBJECT_FUNCTION)) return INVALID_HANDLE;
  *library = ((const Object *)kernel)->module;
  return OK;
}

CUDA_EXPORT int cuFuncGetModule(void **module, void *function)
{
  return cuKernelGetLibrary(module, function);
}

CUDA_EXPORT int cuFuncGetName(const char **name, void *function)
{
  if (!object_is(function, OBJECT_FUNCTION)) return INVALID_HANDLE;
  *name = ((const Object *)function)->kernel.name;
  return OK;
}

CUDA_EXPORT int cuKernelGetName(const char **name, void *kernel)
{
  return cuFuncGetName(name, kernel);
}

CUDA_EXPORT int cuFuncLoad(void *function)
{
  return object_is(function, OBJECT_FUNCTION) ? OK : INVALID_HANDLE;
}

CUDA_EXPORT int cuFuncIsLoaded(int *state, void *function)
{
  *state = 1;
  return cuFuncLoad(function);
}

CUDA_EXPORT int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size)
{
  if (!object_is(function, OBJECT_FUNCTION)) return INVALID_HANDLE;
  const ImageKernel *kernel = &((const Object *)function)->kernel;
  if (!kernel->has_arguments) return tvmffi_cuda_lacking("the arguments of a compressed image");
  if (index >= kernel->argument_count) return INVALID_VALUE;
  if (offset) *offset = kernel->argument_at[index];
  if (size) *size = kernel->argument_size[index];
  return OK;
}

CUDA_EXPORT int cuKernelGetParamInfo(void *kernel, size_t index, size_t *offset, size_t *size)
{
  return cuFuncGetParamInfo(kernel, index, offset, size);
}

// --- Attributes ----------------------------------------------------------------------------------

enum { THREADS_MOST = 0, REGISTERS = 4, PTX_VERSION = 5, BINARY_VERSION = 6, SHARED_MOST = 8 };

CUDA_EXPORT int cuFuncGetAttribute(int *value, int attribute, void *function)
{
  enum { THREADS = 1024, REGISTERS_USED = 32, VERSION = 90 };
  if (!object_is(function, OBJECT_FUNCTION)) return INVALID_HANDLE;
  if (!value) return INVALID_VALUE;
  switch (attribute) {
    case THREADS_MOST:
      *value = THREADS;
      break;
    case REGISTERS:
      *value = REGISTERS_USED;
      break;
    case PTX_VERSION:
    case BINARY_VERSION:
      *value = VERSION;
      break;
    case SHARED_MOST:
      *value = ((const Object *)function)->shared_most;
      break;
    default:
      *value = 0;
  }
  return OK;
}

CUDA_EXPORT int cuFuncSetAttribute(void *function, int attribute, int value)
{
  enum { SHARED_OPTIN = 232448 };
  if (!object_is(function, OBJECT_FUNCTION)) return INVALID_HANDLE;
  if (attribute != SHARED_MOST) return OK;
  if (value < 0 || value > SHARED_OPTIN) return INVALID_VALUE;
  ((Object *)function)->shared_most = value;
  return OK;
}

CUDA_EXPORT int cuKernelGetAttribute(int *value, int attribute, void *kernel, int device)
{
  (void)device;
  return cuFuncGetAttribute(value, attribute, kernel);
}

CUDA_EXPORT int cuKernelSetAttribute(int attribute, int value, void *kernel, int device)
{
  (void)device;
  return cuFuncSetAttribute(kernel, attribute, value);
}

CUDA_EXPORT int cuFuncSetCacheConfig(void *function, int config)
{
  (void)config;
  return object_is(function, OBJECT_FUNCTION) ? OK : INVALID_HANDLE;
}

CUDA_EXPORT int cuKernelSetCacheConfig(void *kernel, int config, int device)
{
  (void)device;
  return cuFuncSetCacheConfig(kernel, config);
}

CUDA_EXPORT int cuFuncSetSharedMemConfig(void *function, int config)
{
  return cuFuncSetCacheConfig(function, config);
}

// As many as the threads and the shared memory of a multiprocessor allow.
CUDA_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int size,
                                                            size_t shared)
{
  enum { THREADS = 2048, SHARED = 233472, RESERVED = 1024, BLOCKS = 32, SIZE_MOST = 1024 };
  if (!object_is(function, OBJECT_FUNCTION)) return INVALID_HANDLE;
  if (!blocks || size <= 0) return INVALID_VALUE;
  int by_threads = size > SIZE_MOST ? 0 : THREADS / size;
  size_t by_memory = SHARED / (shared + RESERVED);
  *blocks = by_threads < BLOCKS ? by_threads : BLOCKS;
  if (by_memory < (size_t)*blocks) *blocks = (int)by_memory;
  return OK;
}

CUDA_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *function,
                                                                     int size, size_t shared,
                                                                     unsigned flags)
{
  (void)flags;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, size, shared);
}

CUDA_EXPORT int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function,
                                                 size_t (*shared_of)(int), size_t shared, int most)
{
  enum { BLOCK = 1024, BLOCKS = 2 * 132 };
  (void)shared_of, (void)shared;
  if (!object_is(function, OBJECT_FUNCTION)) return INVALID_HANDLE;
  *block = most > 0 && most < BLOCK ? most : BLOCK;
  *grid = BLOCKS;
  return OK;
}

CUDA_EXPORT int cuOccupancyMaxActiveClusters(int *clusters, void *function, const void *config)
{
  enum { CLUSTERS = 66 };
  (void)config;
  if (!object_is(function, OBJECT_FUNCTION)) return INVALID_HANDLE;
  *clusters = CLUSTERS;
  return OK;
}

CUDA_EXPORT int cuOccupancyMaxPotentialClusterSize(int *size, void *function, const void *config)
{
  enum { SIZE = 8 };
  (void)config;
  if (!object_is(function, OBJECT_FUNCTION)) return INVALID_HANDLE;
  *size = SIZE;
  return OK;
}
