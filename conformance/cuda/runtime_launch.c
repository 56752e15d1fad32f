// SPDX-License-Identifier: Apache-2.0
// The stand-in for the CUDA runtime: the kernels and variables that the compiler registers when a
// library is loaded, libraries, and launches.
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "cuda/driver.h"
#include "cuda/runtime.h"

#define EXPORT __attribute__((visibility("default")))
#define API EXPORT int

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONFIGURATION = 9 };
enum { INVALID_SYMBOL = 13, INVALID_DEVICE_FUNCTION = 98 };

// As in the runtime's documentation.
typedef struct Size3 {
  unsigned x, y, z;
} Size3;

typedef struct LaunchConfig {
  Size3 grid, block;
  size_t shared;
  void *stream;
  const void *attributes;
  unsigned attribute_count;
} LaunchConfig;

// An image that was registered; the driver's module of it is made when it is first needed.
typedef struct Image {
  const void *bytes;
  void *module;
} Image;

// A kernel or a variable: what the host calls it, and what the image does.
typedef struct Entry {
  const void *host;
  const char *name;
  Image *image;
  void *function;     // of a kernel, once it was looked up
  uintptr_t address;  // of a variable, the same
  size_t size;
  bool is_variable;
} Entry;

enum { IMAGES_MAX = 4096, ENTRIES_MAX = 1 << 18 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Image images[IMAGES_MAX];
static size_t image_count, entry_count;
static Entry *entries;  // of address space, taken as far as it is used

// --- What the compiler's code calls --------------------------------------------------------------

EXPORT void **__cudaRegisterFatBinary(void *image)
{
  Image *made = NULL;
  pthread_mutex_lock(&lock);
  if (image_count < IMAGES_MAX) {
    made = &images[image_count++];
    made->bytes = image;
  }
  pthread_mutex_unlock(&lock);
  return (void **)made;
}

EXPORT void __cudaRegisterFatBinaryEnd(void **image)
{
  (void)image;
}

EXPORT char __cudaInitModule(void **image)
{
  (void)image;
  return 1;
}

EXPORT void __cudaUnregisterFatBinary(void **handle)
{
  Image *image = (Image *)handle;
  if (!image) return;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < entry_count; ++i)
    if (entries[i].image == image) entries[i].host = NULL;
  void *module = image->module;
  image->module = NULL;
  pthread_mutex_unlock(&lock);
  if (module) cuModuleUnload(module);
}

static void add_entry(void **image, const void *host, const char *name, size_t size,
                      bool is_variable)
{
  if (!image) return;
  pthread_mutex_lock(&lock);
  if (!entries) {
    void *at = mmap(NULL, ENTRIES_MAX * sizeof *entries, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    entries = at == MAP_FAILED ? NULL : at;
  }
  if (entries && entry_count < ENTRIES_MAX)
    entries[entry_count++] = (Entry){.host = host,
                                     .name = name,
                                     .image = (Image *)image,
                                     .size = size,
                                     .is_variable = is_variable};
  pthread_mutex_unlock(&lock);
}

EXPORT void __cudaRegisterFunction(void **image, const char *host, char *name_of_host,
                                   const char *name, int thread_limit, void *thread, void *block,
                                   void *block_size, void *grid_size, int *warp_size)
{
  (void)name_of_host, (void)thread_limit, (void)thread, (void)block;
  (void)block_size, (void)grid_size, (void)warp_size;
  add_entry(image, host, name, 0, false);
}

EXPORT void __cudaRegisterVar(void **image, char *host, char *address, const char *name,
                              int external, size_t size, int constant, int global)
{
  (void)address, (void)external, (void)constant, (void)global;
  add_entry(image, host, name, size, true);
}

// The host's variable is itself a pointer to the memory.
EXPORT void __cudaRegisterManagedVar(void **image, void **host, char *address, const char *name,
                                     int external, size_t size, int constant, int global)
{
  (void)address, (void)external, (void)constant, (void)global;
  add_entry(image, host, name, size, true);
}

EXPORT void __cudaRegisterHostVar(void **image, const char *name, char *host, size_t size)
{
  (void)image, (void)name, (void)host, (void)size;
}

EXPORT void __cudaRegisterUnifiedTable(void **image, void *table)
{
  (void)image, (void)table;
}

// --- Looking them up -----------------------------------------------------------------------------

// The driver's module of an image; `lock` is held.
static int load_image(Image *image)
{
  if (image->module) return OK;
  return cuLibraryLoadData(&image->module, image->bytes, NULL, NULL, 0, NULL, NULL, 0);
}

static Entry *find_entry(const void *host, bool is_variable)
{
  for (size_t i = entry_count; host && i-- > 0;)
    if (entries[i].host == host && entries[i].is_variable == is_variable) return &entries[i];
  return NULL;
}

// The driver's function of a kernel: what stands for it in the host's code, or a handle.
static int find_function(void **function, const void *kernel)
{
  int error = runtime_begin();
  if (error != OK) return error;
  pthread_mutex_lock(&lock);
  Entry *entry = find_entry(kernel, false);
  if (entry && !entry->function) {
    error = load_image(entry->image);
    if (error == OK)
      error = tvmffi_cuda_registered(&entry->function, entry->image->module, entry->name);
  }
  if (entry) *function = entry->function;
  pthread_mutex_unlock(&lock);
  if (entry) return error;
  void *handle;
  memcpy(&handle, &kernel, sizeof handle);
  return cuKernelGetFunction(function, handle) == OK ? OK : INVALID_DEVICE_FUNCTION;
}

// The memory of a variable.
static int find_variable(uintptr_t *address, size_t *size, const void *symbol)
{
  int error = runtime_begin();
  if (error != OK) return error;
  pthread_mutex_lock(&lock);
  Entry *entry = find_entry(symbol, true);
  if (entry && !entry->address) {
    size_t found = 0;
    error = load_image(entry->image);
    if (error == OK)
      error = cuModuleGetGlobal_v2(&entry->address, &found, entry->image->module, entry->name);
  }
  if (entry && address) *address = entry->address;
  if (entry && size) *size = entry->size;
  pthread_mutex_unlock(&lock);
  return entry ? error : INVALID_SYMBOL;
}

API cudaGetSymbolAddress(uintptr_t *address, const void *symbol)
{
  return runtime_end(find_variable(address, NULL, symbol));
}

API cudaGetSymbolSize(size_t *size, const void *symbol)
{
  return runtime_end(find_variable(NULL, size, symbol));
}

static int copy_to_symbol(const void *symbol, uintptr_t from, size_t size, size_t offset,
                          void *stream, bool later, bool back)
{
  uintptr_t address = 0;
  int error = find_variable(&address, NULL, symbol);
  if (error != OK) return runtime_end(error);
  uintptr_t to = back ? from : address + offset;
  if (back) from = address + offset;
  return runtime_end(later ? cuMemcpyAsync(to, from, size, stream) : cuMemcpy(to, from, size));
}

API cudaMemcpyToSymbol(const void *symbol, uintptr_t from, size_t size, size_t offset, int kind)
{
  (void)kind;
  return copy_to_symbol(symbol, from, size, offset, NULL, false, false);
}

API cudaMemcpyToSymbolAsync(const void *symbol, uintptr_t from, size_t size, size_t offset,
                            int kind, void *stream)
{
  (void)kind;
  return copy_to_symbol(symbol, from, size, offset, stream, true, false);
}

API cudaMemcpyFromSymbol(uintptr_t to, const void *symbol, size_t size, size_t offset, int kind)
{
  (void)kind;
  return copy_to_symbol(symbol, to, size, offset, NULL, false, true);
}

API cudaMemcpyFromSymbolAsync(uintptr_t to, const void *symbol, size_t size, size_t offset,
                              int kind, void *stream)
{
  (void)kind;
  return copy_to_symbol(symbol, to, size, offset, stream, true, true);
}

API cudaGetFuncBySymbol(void **function, const void *kernel)
{
  return runtime_end(find_function(function, kernel));
}

API cudaGetKernel(void **handle, const void *kernel)
{
  return runtime_end(find_function(handle, kernel));
}

API __cudaGetKernel(void **handle, const void *kernel)
{
  return runtime_end(find_function(handle, kernel));
}

// --- Libraries -----------------------------------------------------------------------------------

API cudaLibraryLoadData(void **library, const void *image, int *jit, void **jit_values,
                        unsigned jit_count, int *options, void **values, unsigned count)
{
  int error = runtime_begin();
  return runtime_end(error != OK ? error
                                 : cuLibraryLoadData(library, image, jit, jit_values, jit_count,
                                                     options, values, count));
}

API cudaLibraryLoadFromFile(void **library, const char *path, int *jit, void **jit_values,
                            unsigned jit_count, int *options, void **values, unsigned count)
{
  int error = runtime_begin();
  return runtime_end(error != OK ? error
                                 : cuLibraryLoadFromFile(library, path, jit, jit_values, jit_count,
                                                         options, values, count));
}

API cudaLibraryUnload(void *library)
{
  return runtime_end(cuLibraryUnload(library));
}

API cudaLibraryGetKernel(void **kernel, void *library, const char *name)
{
  return runtime_end(cuLibraryGetKernel(kernel, library, name));
}

API cudaLibraryGetGlobal(uintptr_t *address, size_t *size, void *library, const char *name)
{
  return runtime_end(cuLibraryGetGlobal(address, size, library, name));
}

// --- Attributes ----------------------------------------------------------------------------------

typedef struct FunctionAttributes {
  size_t shared, constant, local;
  int threads_most, registers, ptx_version, binary_version, caches, shared_most;
  int rest[23];
} FunctionAttributes;

API cudaFuncGetAttributes(FunctionAttributes *attributes, const void *kernel)
{
  enum { SIZE = 144, THREADS = 0, SHARED = 1, REGISTERS = 4, PTX = 5, BINARY = 6, MOST = 8 };
  _Static_assert(sizeof(void *) != 8 || sizeof *attributes == SIZE, "as large as the runtime's");
  void *function = NULL;
  int error = find_function(&function, kernel), shared = 0;
  if (error == OK && !attributes) error = INVALID_VALUE;
  if (error != OK) return runtime_end(error);
  memset(attributes, 0, sizeof *attributes);
  cuFuncGetAttribute(&shared, SHARED, function);
  attributes->shared = (size_t)shared;
  cuFuncGetAttribute(&attributes->threads_most, THREADS, function);
  cuFuncGetAttribute(&attributes->registers, REGISTERS, function);
  cuFuncGetAttribute(&attributes->ptx_version, PTX, function);
  cuFuncGetAttribute(&attributes->binary_version, BINARY, function);
  cuFuncGetAttribute(&attributes->shared_most, MOST, function);
  return OK;
}

API cudaFuncSetAttribute(const void *kernel, int attribute, int value)
{
  void *function = NULL;
  int error = find_function(&function, kernel);
  return runtime_end(error != OK ? error : cuFuncSetAttribute(function, attribute, value));
}

API cudaKernelSetAttributeForDevice(const void *kernel, int attribute, int value, int device)
{
  (void)device;
  return cudaFuncSetAttribute(kernel, attribute, value);
}

API cudaFuncSetCacheConfig(const void *kernel, int config)
{
  void *function = NULL;
  (void)config;
  return runtime_end(find_function(&function, kernel));
}

API cudaFuncSetSharedMemConfig(const void *kernel, int config)
{
  return cudaFuncSetCacheConfig(kernel, config);
}

API cudaFuncGetName(const char **name, const void *kernel)
{
  void *function = NULL;
  int error = find_function(&function, kernel);
  return runtime_end(error != OK ? error : cuFuncGetName(name, function));
}

API cudaFuncGetParamInfo(const void *kernel, size_t index, size_t *offset, size_t *size)
{
  void *function = NULL;
  int error = find_function(&function, kernel);
  return runtime_end(error != OK ? error : cuFuncGetParamInfo(function, index, offset, size));
}

API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int size,
                                                  size_t shared)
{
  void *function = NULL;
  int error = find_function(&function, kernel);
  return runtime_end(
      error != OK ? error
                  : cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, size, shared));
}

API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                           int size, size_t shared, unsigned flags)
{
  (void)flags;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, size, shared);
}

API cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel, const LaunchConfig *config)
{
  void *function = NULL;
  int error = find_function(&function, kernel);
  return runtime_end(error != OK ? error
                                 : cuOccupancyMaxActiveClusters(clusters, function, config));
}

API cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel, const LaunchConfig *config)
{
  void *function = NULL;
  int error = find_function(&function, kernel);
  return runtime_end(error != OK ? error
                                 : cuOccupancyMaxPotentialClusterSize(size, function, config));
}

// --- Launches ------------------------------------------------------------------------------------

// What `kernel<<<grid, block, shared, stream>>>` puts down, and the call behind it takes up.
enum { CALLS_MAX = 16 };
static __thread LaunchConfig calls[CALLS_MAX];
static __thread unsigned call_count;

EXPORT unsigned __cudaPushCallConfiguration(Size3 grid, Size3 block, size_t shared, void *stream)
{
  if (call_count == CALLS_MAX) return 1;
  calls[call_count++] =
      (LaunchConfig){.grid = grid, .block = block, .shared = shared, .stream = stream};
  return 0;
}

API __cudaPopCallConfiguration(Size3 *grid, Size3 *block, size_t *shared, void **stream)
{
  enum { MISSING_CONFIGURATION = 52 };
  if (call_count == 0) return runtime_end(MISSING_CONFIGURATION);
  const LaunchConfig *call = &calls[--call_count];
  *grid = call->grid;
  *block = call->block;
  *shared = call->shared;
  *stream = call->stream;
  return OK;
}

static int launch(const void *kernel, const LaunchConfig *config, void **arguments)
{
  void *function = NULL;
  int error = find_function(&function, kernel);
  if (error == OK)
    error = cuLaunchKernel(function, config->grid.x, config->grid.y, config->grid.z,
                           config->block.x, config->block.y, config->block.z,
                           (unsigned)config->shared, config->stream, arguments, NULL);
  return runtime_end(error == INVALID_VALUE ? INVALID_CONFIGURATION : error);
}

API cudaLaunchKernel(const void *kernel, Size3 grid, Size3 block, void **arguments, size_t shared,
                     void *stream)
{
  LaunchConfig config = {.grid = grid, .block = block, .shared = shared, .stream = stream};
  return launch(kernel, &config, arguments);
}

API __cudaLaunchKernel(const void *kernel, Size3 grid, Size3 block, void **arguments, size_t shared,
                       void *stream)
{
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

API cudaLaunchCooperativeKernel(const void *kernel, Size3 grid, Size3 block, void **arguments,
                                size_t shared, void *stream)
{
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

API cudaLaunchKernelExC(const LaunchConfig *config, const void *kernel, void **arguments)
{
  return config ? launch(kernel, config, arguments) : runtime_end(INVALID_VALUE);
}
