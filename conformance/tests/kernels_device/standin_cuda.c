// SPDX-License-Identifier: Apache-2.0
// A stand-in for the CUDA driver's library, for tests on machines without a device: libcuda.so.1,
// as far as the suite and the kernels of ../kernels_device use it. It is no emulator: the only
// kernel that can be launched is `add_one` of those files, whatever their PTX says.
//
// Memory of the device is no memory of the host: an address of it that the host touches is a fault,
// as with most real devices. Work on a stream is done as late as can be, when somebody waits for
// the stream: what relies on an order that nobody asked for gets the wrong one. Work on the default
// stream is done at once, and is not ordered with other streams, which have to be non-blocking. The
// first error of a kernel stays.
//
// CUDA_STANDIN in the environment makes it fail: no-device, out-of-memory (the first allocation
// already), no-stream, no-code (each launch); shared: others take and give back memory.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NO_CODE = 209,
  NOT_FOUND = 500,
  ILLEGAL_ADDRESS = 700,
};

enum { BLOCKS_MAX = 65536, WORK_MAX = 4096, STREAMS_MAX = 16, ALIGNMENT = 512, NON_BLOCKING = 1 };
static const size_t total_memory = (size_t)1 << (sizeof(size_t) > 4 ? 32 : 30);

// A piece of the device's memory: where it begins, how long it is, and whether it is given out.
typedef struct Block {
  size_t offset, size;
  bool used;
} Block;

typedef enum WorkKind { WORK_COPY_IN, WORK_COPY_OUT, WORK_CALL, WORK_ADD_ONE } WorkKind;

typedef struct Work {
  WorkKind kind;
  uint64_t from, to;
  size_t size;           // bytes; of WORK_ADD_ONE elements
  void *host;            // of copies; in: own
  void (*call)(void *);  // WORK_CALL, with `host`
} Work;

typedef struct Stream {
  Work work[WORK_MAX];
  size_t count;
} Stream;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Block blocks[BLOCKS_MAX];  // one behind the other
static size_t block_count, in_use;
static Stream *streams[STREAMS_MAX];
// All memory of the device twice: as addresses, which nobody can touch, and as bytes for this file.
static uint64_t addresses;
static unsigned char *memory;
static pid_t initialized_in;  // a process; its copies have no driver
static int context, module, kernel, broken;
static __thread void *current;

static bool is_asked(const char *what)
{
  const char *asked = getenv("CUDA_STANDIN");
  return asked && strcmp(asked, what) == 0;
}

// What every call on a context fails with, or OK.
static int state(void)
{
  if (initialized_in != getpid()) return NOT_INITIALIZED;
  if (current != &context) return INVALID_CONTEXT;
  return broken;
}

// --- Start ---------------------------------------------------------------------------------------

EXPORT int cuInit(unsigned flags)
{
  if (flags) return INVALID_VALUE;
  if (is_asked("no-device")) return NO_DEVICE;
  if (initialized_in && initialized_in != getpid()) return NOT_INITIALIZED;
  initialized_in = getpid();
  return OK;
}

EXPORT int cuDriverGetVersion(int *version)
{
  *version = 12040;
  return OK;
}

EXPORT int cuDeviceGet(int *device, int number)
{
  if (initialized_in != getpid()) return NOT_INITIALIZED;
  if (number != 0) return INVALID_DEVICE;
  *device = 0;
  return OK;
}

EXPORT int cuDeviceGetName(char *name, int size, int device)
{
  if (device != 0 || size <= 0) return INVALID_VALUE;
  strncpy(name, "stand-in for a device", (size_t)size);
  name[size - 1] = '\0';
  return OK;
}

EXPORT int cuDevicePrimaryCtxRetain(void **out, int device)
{
  if (initialized_in != getpid()) return NOT_INITIALIZED;
  if (device != 0) return INVALID_DEVICE;
  *out = &context;
  return OK;
}

EXPORT int cuCtxSetCurrent(void *wanted)
{
  if (initialized_in != getpid()) return NOT_INITIALIZED;
  if (wanted && wanted != &context) return INVALID_CONTEXT;
  current = wanted;
  return OK;
}

EXPORT int cuGetErrorName(int error, const char **name)
{
  static const struct {
    int error;
    const char *name;
  } names[] = {{OK, "CUDA_SUCCESS"},
               {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
               {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
               {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
               {NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
               {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE"},
               {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
               {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
               {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
               {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (names[i].error == error) {
      *name = names[i].name;
      return OK;
    }
  return INVALID_VALUE;
}

// --- Memory --------------------------------------------------------------------------------------

static int map_memory(void)
{
  int file = memfd_create("device memory", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)total_memory) != 0) return OUT_OF_MEMORY;
  void *bytes =
      mmap(NULL, total_memory, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  void *address =
      mmap(NULL, total_memory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  close(file);
  if (bytes == MAP_FAILED || address == MAP_FAILED) return OUT_OF_MEMORY;
  memory = bytes;
  addresses = (uint64_t)(uintptr_t)address;
  return OK;
}

// A block that was given back and has this size, or a new one behind the others.
static Block *find_block(size_t size)
{
  for (size_t i = 0; i < block_count; ++i)
    if (!blocks[i].used && blocks[i].size == size) return &blocks[i];
  size_t end = block_count ? blocks[block_count - 1].offset + blocks[block_count - 1].size : 0;
  if (block_count == BLOCKS_MAX || size > total_memory - end) return NULL;
  blocks[block_count] = (Block){end, size, false};
  return &blocks[block_count++];
}

EXPORT int cuMemAlloc_v2(uint64_t *address, size_t size)
{
  if (state() != OK) return state();
  if (size == 0) return INVALID_VALUE;
  if (is_asked("out-of-memory") || size > total_memory) return OUT_OF_MEMORY;
  pthread_mutex_lock(&lock);
  int error = memory ? OK : map_memory();
  Block *block = error == OK ? find_block((size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT) : NULL;
  if (block) {
    block->used = true;
    in_use += block->size;
    *address = addresses + block->offset;
  }
  pthread_mutex_unlock(&lock);
  return block ? OK : OUT_OF_MEMORY;
}

// The block that holds an address, given out or not; NULL if none does. They are in order.
static Block *block_of(uint64_t address)
{
  size_t least = 0, most = block_count;
  if (!memory || address < addresses || address - addresses >= total_memory) return NULL;
  size_t offset = address - addresses;
  while (most - least > 1) {
    size_t middle = least + (most - least) / 2;
    if (blocks[middle].offset <= offset)
      least = middle;
    else
      most = middle;
  }
  bool holds = block_count && offset - blocks[least].offset < blocks[least].size;
  return holds ? &blocks[least] : NULL;
}

EXPORT int cuMemFree_v2(uint64_t address)
{
  if (state() != OK) return state();
  pthread_mutex_lock(&lock);
  Block *block = block_of(address);
  bool good = block && block->used && address == addresses + block->offset;
  if (good) {
    block->used = false;
    in_use -= block->size;
  }
  pthread_mutex_unlock(&lock);
  return good ? OK : INVALID_VALUE;
}

EXPORT int cuMemGetInfo_v2(size_t *left, size_t *total)
{
  if (state() != OK) return state();
  static size_t asked;
  *left = total_memory - in_use - (is_asked("shared") ? ++asked % 3 << 21 : 0);
  *total = total_memory;
  return OK;
}

// The bytes at an address of the device; NULL unless all of them are of one block.
static unsigned char *bytes_at(uint64_t address, size_t size)
{
  const Block *block = block_of(address);
  if (!block || !block->used) return NULL;
  size_t within = address - addresses - block->offset;
  return size <= block->size - within ? memory + block->offset + within : NULL;
}

// --- Streams -------------------------------------------------------------------------------------

static int add_one(const Work *work)
{
  if (work->size > total_memory / sizeof(float)) return ILLEGAL_ADDRESS;
  const unsigned char *from = bytes_at(work->from, work->size * sizeof(float));
  unsigned char *to = bytes_at(work->to, work->size * sizeof(float));
  if (!from || !to) return ILLEGAL_ADDRESS;
  for (size_t i = 0; i < work->size; ++i) {
    float value;
    memcpy(&value, from + i * sizeof value, sizeof value);
    value += 1;
    memcpy(to + i * sizeof value, &value, sizeof value);
  }
  return OK;
}

// What a piece of work comes to; `lock` is held.
static int do_work(Work *work)
{
  unsigned char *bytes = NULL;
  switch (work->kind) {
    case WORK_COPY_IN:
      bytes = bytes_at(work->to, work->size);
      if (bytes) memcpy(bytes, work->host, work->size);
      free(work->host);
      return bytes ? OK : ILLEGAL_ADDRESS;
    case WORK_COPY_OUT:
      bytes = bytes_at(work->from, work->size);
      if (bytes) memcpy(work->host, bytes, work->size);
      return bytes ? OK : ILLEGAL_ADDRESS;
    case WORK_CALL:
      work->call(work->host);
      return OK;
    default:
      return add_one(work);
  }
}

// `lock` is held.
static int drain(Stream *stream)
{
  for (size_t i = 0; i < stream->count && !broken; ++i) broken = do_work(&stream->work[i]);
  stream->count = 0;
  return broken;
}

static bool is_stream(const void *handle)
{
  for (size_t i = 0; i < STREAMS_MAX; ++i)
    if (handle && streams[i] == handle) return true;
  return false;
}

// Puts work on a stream; that of the default stream, NULL, is done now.
static int put(void *handle, Work work)
{
  int error = state();
  pthread_mutex_lock(&lock);
  Stream *stream = is_stream(handle) ? handle : NULL;
  if (error == OK && handle && !stream) error = INVALID_HANDLE;
  if (error == OK && stream && stream->count == WORK_MAX) error = drain(stream);
  if (error == OK && stream)
    stream->work[stream->count++] = work;
  else if (error == OK)
    broken = do_work(&work);
  pthread_mutex_unlock(&lock);
  return error;
}

EXPORT int cuStreamCreate(void **out, unsigned flags)
{
  if (state() != OK) return state();
  if (flags != NON_BLOCKING || is_asked("no-stream")) return INVALID_VALUE;
  int error = OUT_OF_MEMORY;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < STREAMS_MAX && error; ++i) {
    if (streams[i]) continue;
    streams[i] = calloc(1, sizeof *streams[i]);
    *out = streams[i];
    error = streams[i] ? OK : OUT_OF_MEMORY;
    break;
  }
  pthread_mutex_unlock(&lock);
  return error;
}

EXPORT int cuStreamSynchronize(void *handle)
{
  if (state() != OK) return state();
  pthread_mutex_lock(&lock);
  int error = !handle ? broken : is_stream(handle) ? drain(handle) : INVALID_HANDLE;
  pthread_mutex_unlock(&lock);
  return error;
}

EXPORT int cuLaunchHostFunc(void *stream, void (*function)(void *), void *context_of_it)
{
  return put(stream, (Work){.kind = WORK_CALL, .call = function, .host = context_of_it});
}

EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t size, void *stream)
{
  void *copy = malloc(size + 1);
  if (!copy) return OUT_OF_MEMORY;
  memcpy(copy, from, size);
  return put(stream, (Work){.kind = WORK_COPY_IN, .to = to, .size = size, .host = copy});
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t size, void *stream)
{
  return put(stream, (Work){.kind = WORK_COPY_OUT, .from = from, .size = size, .host = to});
}

// --- Kernels -------------------------------------------------------------------------------------

EXPORT int cuModuleLoadData(void **out, const void *image)
{
  if (state() != OK) return state();
  if (!strstr(image, ".entry add_one(")) return INVALID_VALUE;
  *out = &module;
  return OK;
}

EXPORT int cuModuleGetFunction(void **out, void *of, const char *name)
{
  if (state() != OK) return state();
  if (of != &module || strcmp(name, "add_one") != 0) return NOT_FOUND;
  *out = &kernel;
  return OK;
}

// add_one(x, y, n): addresses and a count of 64 bits each.
EXPORT int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                          void *stream, void **parameters, void **extra)
{
  uint64_t x, y, n;
  if (state() != OK) return state();
  if (function != &kernel || !parameters || extra || shared || grid_x == 0 || block_x == 0 ||
      block_x > 1024 || grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1)
    return INVALID_VALUE;
  if (is_asked("no-code")) return NO_CODE;
  memcpy(&x, parameters[0], sizeof x);
  memcpy(&y, parameters[1], sizeof y);
  memcpy(&n, parameters[2], sizeof n);
  uint64_t threads = (uint64_t)grid_x * block_x;
  return put(stream,
             (Work){.kind = WORK_ADD_ONE, .from = x, .to = y, .size = n < threads ? n : threads});
}
