// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "battery/expect.h"
#include "battery/fence.h"
#include "kernel/kernel_host.h"

// What is used of the driver: symbol, name here, parameters. Each returns 0 or the number of an
// error.
#define CUDA_FUNCTIONS(X)                                                    \
  X("cuInit", init, (unsigned))                                              \
  X("cuDriverGetVersion", driver_version, (int *))                           \
  X("cuDeviceGet", device_get, (int *, int))                                 \
  X("cuDeviceGetName", device_name, (char *, int, int))                      \
  X("cuDevicePrimaryCtxRetain", retain_context, (void **, int))              \
  X("cuCtxSetCurrent", set_context, (void *))                                \
  X("cuMemAlloc_v2", allocate, (uint64_t *, size_t))                         \
  X("cuMemFree_v2", free_memory, (uint64_t))                                 \
  X("cuMemGetInfo_v2", memory_info, (size_t *, size_t *))                    \
  X("cuMemcpyHtoDAsync_v2", write, (uint64_t, const void *, size_t, void *)) \
  X("cuMemcpyDtoHAsync_v2", read, (void *, uint64_t, size_t, void *))        \
  X("cuStreamCreate", create_stream, (void **, unsigned))                    \
  X("cuStreamSynchronize", synchronize, (void *))                            \
  X("cuLaunchHostFunc", launch_on_host, (void *, void (*)(void *), void *))  \
  X("cuGetErrorName", error_name, (int, const char **))

// A stream that the default stream does not wait for, and that does not wait for it.
enum { NON_BLOCKING = 1 };

static struct Cuda {
  uint32_t chosen;  // number of the device and 1; 0: none
  bool tried, open;
  char why[KERNEL_CUDA_TEXT];  // it could not be opened
  int device;
  void *context, *stream;
  void *stand_in;        // from dlopen: the stand-in for the driver, NULL unless it was loaded
  CudaAccount *account;  // of the stand-in, the same
  bool stands_in;        // it is chosen
#define CUDA_MEMBER(symbol, name, parameters) int(*name) parameters;
  CUDA_FUNCTIONS(CUDA_MEMBER)
} cuda;

bool kernel_cuda_load_stand_ins(const char *folder, char why[KERNEL_CUDA_TEXT])
{
  static const char *const names[] = {"libcuda.so.1", "libcudart.so.12", "libcudart.so.13"};
  char path[4200];
  void *handles[3];
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    handles[i] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *text = handles[i] ? NULL : dlerror();
    if (text) snprintf(why, KERNEL_CUDA_TEXT, "%s", text);
    if (!handles[i]) return false;
  }
  cuda.stand_in = handles[0];
  cuda.account = dlsym(handles[0], CUDA_ACCOUNT_SYMBOL);
  return cuda.account != NULL;
}

static void end_for_lacking(const char *what)
{
  case_not_applicable("it asks for what the stand-in for CUDA lacks: %s", what);
}

void kernel_cuda_choose(const Kernel *kernel)
{
  cuda.chosen = kernel ? kernel->cuda : 0;
  cuda.stands_in = kernel && kernel->cuda_stands_in;
  if (cuda.account) cuda.account->on_lacking = cuda.stands_in ? end_for_lacking : NULL;
}

bool kernel_cuda_chosen(void)
{
  return cuda.chosen != 0;
}

bool kernel_cuda_lacks_code(const char *message)
{
  // The words of CUDA's errors 209 and 222, and their names.
  static const char *const said[] = {
      "no kernel image is available", "NoKernelImageForDevice", "NO_BINARY_FOR_GPU",
      "unsupported toolchain",        "UnsupportedPtxVersion",  "UNSUPPORTED_PTX_VERSION"};
  if (!cuda.chosen || cuda.stands_in) return false;
  for (size_t i = 0; i < sizeof said / sizeof said[0]; ++i)
    if (strstr(message, said[i])) return true;
  return false;
}

bool kernel_cuda_holds(DLDevice device)
{
  return cuda.chosen && device.device_type == kDLCUDA &&
         device.device_id == (int32_t)(cuda.chosen - 1);
}

// --- Opening -------------------------------------------------------------------------------------

static const char *name_of(int error)
{
  const char *name = NULL;
  return cuda.error_name && cuda.error_name(error, &name) == 0 && name ? name : "unknown error";
}

// False, and the reason noted, if `error` is one.
static bool has_done(const char *what, int error)
{
  if (error == 0) return true;
  snprintf(cuda.why, sizeof cuda.why, "no CUDA device %u: %s: %s (%d)", cuda.chosen - 1, what,
           name_of(error), error);
  return false;
}

static bool find_functions(void)
{
  void *driver = cuda.stand_in, *address;
  if (!cuda.stands_in) driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!driver) {
    const char *text = cuda.stands_in ? "the stand-ins are not loaded" : dlerror();
    snprintf(cuda.why, sizeof cuda.why, "no CUDA driver: %s", text ? text : "no reason is given");
    return false;
  }
#define CUDA_FIND(symbol, name, parameters)                                             \
  address = dlsym(driver, symbol);                                                      \
  if (!address) {                                                                       \
    snprintf(cuda.why, sizeof cuda.why, "no CUDA driver: libcuda.so.1 has no " symbol); \
    return false;                                                                       \
  }                                                                                     \
  memcpy(&cuda.name, &address, sizeof address);
  CUDA_FUNCTIONS(CUDA_FIND)
  return true;
}

static bool open_device(void)
{
  return find_functions() && has_done("cuInit", cuda.init(0)) &&
         has_done("cuDeviceGet", cuda.device_get(&cuda.device, (int)(cuda.chosen - 1))) &&
         has_done("cuDevicePrimaryCtxRetain", cuda.retain_context(&cuda.context, cuda.device)) &&
         has_done("cuCtxSetCurrent", cuda.set_context(cuda.context)) &&
         has_done("cuStreamCreate", cuda.create_stream(&cuda.stream, NON_BLOCKING));
}

static void offer_stream(void)
{
  Observer *observer = kernel_host.observer;
  if (!observer) return;
  observer->streams[0] = (ObservedStream){kDLCUDA, (int32_t)(cuda.chosen - 1), cuda.stream};
  atomic_store(&observer->stream_count, 1);
}

bool kernel_cuda_open(char why[KERNEL_CUDA_TEXT])
{
  if (!cuda.chosen) return true;
  if (!cuda.tried) {
    cuda.tried = true;
    cuda.open = open_device();
    if (cuda.open) offer_stream();
  } else if (cuda.open) {
    if (has_done("cuCtxSetCurrent", cuda.set_context(cuda.context))) return true;
  }
  if (cuda.why[0]) snprintf(why, KERNEL_CUDA_TEXT, "%s", cuda.why);
  return !cuda.why[0];
}

void kernel_cuda_require(void)
{
  char why[KERNEL_CUDA_TEXT];
  if (!kernel_cuda_open(why)) case_not_applicable("%s", why);
}

void kernel_cuda_describe(char text[KERNEL_CUDA_TEXT])
{
  char name[100] = "";
  int version = 0;
  if (cuda.device_name(name, sizeof name, cuda.device) != 0) snprintf(name, sizeof name, "unnamed");
  cuda.driver_version(&version);
  snprintf(text, KERNEL_CUDA_TEXT, "%s, driver API %d.%d", name, version / 1000,
           version % 1000 / 10);
}

// --- Memory --------------------------------------------------------------------------------------

uint64_t kernel_cuda_try_allocate(size_t size)
{
  uint64_t memory = 0;
  char why[KERNEL_CUDA_TEXT];
  if (!kernel_cuda_open(why) || cuda.allocate(&memory, size ? size : 1) != 0) return 0;
  return memory;
}

uint64_t kernel_cuda_allocate(size_t size)
{
  uint64_t memory = 0;
  kernel_cuda_require();
  int error = cuda.allocate(&memory, size ? size : 1);
  if (error != 0)
    case_inconclusive("no memory of %zu bytes on CUDA device %u: %s", size, cuda.chosen - 1,
                      name_of(error));
  return memory;
}

void kernel_cuda_free(uint64_t memory)
{
  if (memory) cuda.free_memory(memory);
}

bool kernel_cuda_write(uint64_t to, const void *from, size_t size)
{
  return cuda.write(to, from, size, cuda.stream) == 0;
}

bool kernel_cuda_read(void *to, uint64_t from, size_t size)
{
  return cuda.read(to, from, size, cuda.stream) == 0 && cuda.synchronize(cuda.stream) == 0;
}

size_t kernel_cuda_free_memory(void)
{
  size_t left = 0, total = 0;
  return cuda.memory_info(&left, &total) == 0 ? left : 0;
}

// --- The stream ----------------------------------------------------------------------------------

TVMFFIStreamHandle kernel_cuda_stream(void)
{
  return cuda.stream;
}

bool kernel_cuda_settle(char why[KERNEL_CUDA_TEXT])
{
  int error = cuda.synchronize(cuda.stream);
  if (error != 0) snprintf(why, KERNEL_CUDA_TEXT, "%s (%d)", name_of(error), error);
  return error == 0;
}

static unsigned delay_ms;

static void wait_a_while(void *context)
{
  const unsigned *ms = context;
  nanosleep(&(struct timespec){*ms / 1000, *ms % 1000 * 1000000l}, NULL);
}

bool kernel_cuda_delay(unsigned ms)
{
  delay_ms = ms;
  return cuda.launch_on_host(cuda.stream, wait_a_while, &delay_ms) == 0;
}

// --- The account of the stand-in -----------------------------------------------------------------

CudaAccount *kernel_cuda_account(void)
{
  return cuda.chosen && cuda.stands_in ? cuda.account : NULL;
}

void kernel_cuda_watch(void)
{
  CudaAccount *account = kernel_cuda_account();
  if (!account) return;
  atomic_store(&account->noted, 0);
  for (size_t i = 0; i < CUDA_KIND_COUNT; ++i) {
    atomic_store(&account->asked[i], 0);
    atomic_store(&account->done[i], 0);
  }
  atomic_store(&account->watching, true);
}

void kernel_cuda_stop_watching(void)
{
  CudaAccount *account = kernel_cuda_account();
  if (account) atomic_store(&account->watching, false);
}

bool kernel_cuda_has(uint64_t address)
{
  enum { ORDINAL = 9 };
  static int (*pointer_attribute)(void *, int, uintptr_t);
  int device;
  if (!kernel_cuda_account() || !cuda.open) return false;
  void *found = pointer_attribute ? NULL : dlsym(cuda.stand_in, "cuPointerGetAttribute");
  if (found) memcpy(&pointer_attribute, &found, sizeof found);
  return pointer_attribute && pointer_attribute(&device, ORDINAL, (uintptr_t)address) == 0;
}
