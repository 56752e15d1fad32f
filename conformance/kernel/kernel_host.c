// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "kernel/kernel_allocator.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_second.h"

KernelHost kernel_host;

static const Kernel *chosen;
static const Signature *chosen_signature;

void kernel_host_choose(const Kernel *kernel, const Signature *signature)
{
  chosen_signature = signature;
  chosen = kernel;
  kernel_cuda_choose(kernel);
}

static const Kernel *const *beside;
static uint32_t beside_count;

void kernel_host_set_beside(const Kernel *const *kernels, uint32_t count)
{
  beside = kernels;
  beside_count = count;
}

const Kernel *kernel_beside(uint32_t index)
{
  return index < beside_count ? beside[index] : NULL;
}

const Kernel *kernel_under_test(void)
{
  if (!chosen) case_inconclusive("the case was started without a function to judge");
  return chosen;
}

const Signature *signature_under_test(void)
{
  return chosen_signature;
}

void *kernel_host_symbol(const char *prefix, const char *name)
{
  char symbol[KERNEL_NAME_MAX + 64];
  snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
  return dlsym(kernel_host.module, symbol);
}

TVMFFISafeCallType kernel_host_function(const char *name)
{
  void *address = kernel_host_symbol("__tvm_ffi_", name);
  TVMFFISafeCallType function = NULL;
  if (address) memcpy(&function, &address, sizeof function);
  return function;
}

TVMFFISafeCallType kernel_host_function_of(void *module, const char *name)
{
  char symbol[KERNEL_NAME_MAX + 64];
  TVMFFISafeCallType function = NULL;
  snprintf(symbol, sizeof symbol, "__tvm_ffi_%s", name);
  void *address = dlsym(module, symbol);
  if (address) memcpy(&function, &address, sizeof function);
  return function;
}

int exit_code_of_copy(int code)
{
  int status;
  fflush(NULL);
  pid_t copy = fork();
  if (copy == 0) exit(code);
  if (copy < 0 || waitpid(copy, &status, 0) != copy) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// --- Loading -------------------------------------------------------------------------------------

static const char *linker_words(void)
{
  const char *text = dlerror();
  return text ? text : "the dynamic linker gives no reason";
}

// The module calls what its runtime does not have.
static void on_missing(AbiFunctionId function)
{
  case_not_applicable("the runtime has no %s, which the function calls",
                      abi_functions[function].symbol);
}

static bool load_observer(const Iut *iut, const char *path, char *error, size_t error_size)
{
  void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  Observer *observer = handle ? dlsym(handle, "tvmffi_observer") : NULL;
  if (!observer) {
    snprintf(error, error_size, "the observer is not available: %s", linker_words());
    return false;
  }
#define ABI_FUNCTION(chapter, since, result, name, parameters) \
  observer->real.name = iut->name;                             \
  observer->present[FN_##name] = iut_has(iut, FN_##name);
#include "abi/functions.def"
  observer->on_missing = on_missing;
  kernel_host.observer = observer;
  return true;
}

// All symbols at once, so that none is looked up anew in every fork; where one can't be found, as
// runtimes do it.
static void *open_module(const char *path)
{
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle) return handle;
  snprintf(kernel_host.unresolved, sizeof kernel_host.unresolved, "%s", linker_words());
  return dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

// --- As a runtime loads it -----------------------------------------------------------------------

static void describe_raised(Iut *iut)
{
  TVMFFIObjectHandle error = take_error(iut);
  if (!error) return;
  const TVMFFIErrorCell *cell = error_cell(iut, error);
  snprintf(kernel_host.load_error, sizeof kernel_host.load_error, "%.*s: %.*s",
           (int)(cell->kind.size < 64 ? cell->kind.size : 64), cell->kind.data,
           (int)(cell->message.size < 240 ? cell->message.size : 240), cell->message.data);
  release_object(iut, error);
}

// Lets the runtime make a module of the file: it fills the context slot and the context symbols,
// and reads what the library embeds.
static void load_as_runtime(Iut *iut)
{
  TVMFFIByteArray name = bytes_of("ffi.ModuleLoadFromFile");
  TVMFFIObjectHandle loader = NULL;
  TVMFFIAny arg = view_of_raw_string(kernel_host.path), result = any_none();
  snprintf(kernel_host.load_error, sizeof kernel_host.load_error,
           "the runtime has no ffi.ModuleLoadFromFile");
  kernel_host.lacks_loader = true;
  if (!iut_has(iut, FN_FunctionGetGlobal) || !iut_has(iut, FN_FunctionCall)) return;
  if (iut->FunctionGetGlobal(&name, &loader) != 0 || !loader) {
    describe_raised(iut);
    return;
  }
  kernel_host.lacks_loader = false;
  if (iut->FunctionCall(loader, &arg, 1, &result) == 0) {
    kernel_host.loaded = result.v_obj;
    kernel_host.load_error[0] = '\0';
  } else {
    snprintf(kernel_host.load_error, sizeof kernel_host.load_error, "no error was raised");
    describe_raised(iut);
  }
  release_object(iut, loader);
}

bool kernel_host_open(Iut *iut, const char *module, char *error, size_t error_size)
{
  kernel_host.path = module;
  kernel_host.module = open_module(module);
  if (!kernel_host.module) {
    snprintf(error, error_size, "%s", linker_words());
    return false;
  }
  if (iut_has(iut, FN_ErrorMoveFromRaised)) {
    TVMFFIObjectHandle raised = take_error(iut);
    kernel_host.raised_by_loading = raised != NULL;
    if (raised) release_object(iut, raised);
  }
  struct link_map *map = NULL;
  if (dlinfo(kernel_host.module, RTLD_DI_LINKMAP, &map) == 0 && map)
    iut->load_address = map->l_addr;
  iut->path = module;
  kernel_host.context_slot = dlsym(kernel_host.module, "__tvm_ffi__library_ctx");
  if (kernel_host.context_slot) kernel_host.context_before = *kernel_host.context_slot;
  load_as_runtime(iut);
  return true;
}

bool kernel_host_load(Iut *iut, const char *module, const char *runtime, const char *observer,
                      char *error, size_t error_size)
{
  char why[400];
  if (!iut_load(iut, runtime, why, sizeof why)) {
    snprintf(error, error_size, "cannot load the runtime %s: %s", runtime, why);
    return false;
  }
  if (!load_observer(iut, observer, error, error_size)) return false;
  // Into the global scope, behind the observer.
  if (!dlopen(runtime, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD)) {
    snprintf(error, error_size, "%s", linker_words());
    return false;
  }
  kernel_allocator_offer(iut);
  const char *stand_ins = getenv("TVMFFI_CONFORM_CUDA");
  if (stand_ins && !kernel_cuda_load_stand_ins(stand_ins, why)) {
    snprintf(error, error_size, "the stand-ins for CUDA are not available: %s", why);
    return false;
  }
  kernel_second_start(iut);
  return kernel_host_open(iut, module, error, error_size);
}

// --- Once more -----------------------------------------------------------------------------------

// The linker tells files apart by device and inode: a copy in memory is another one.
static int copy_of_file(const char *path)
{
  char bytes[65536];
  ssize_t size = -1;
  int from = open(path, O_RDONLY | O_CLOEXEC);
  int to = from < 0 ? -1 : memfd_create("a copy of the module", MFD_CLOEXEC);
  while (to >= 0 && (size = read(from, bytes, sizeof bytes)) > 0)
    if (write(to, bytes, (size_t)size) != size) break;
  if (from >= 0) close(from);
  if (to < 0 || size != 0) case_inconclusive("cannot copy %s", path);
  return to;
}

void *kernel_host_open_copy(void)
{
  char path[48];
  int copy = copy_of_file(kernel_host.path);
  snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
  void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  // The descriptor stays open: the next copy would have its name, and be taken for this one.
  if (!handle) case_not_applicable("cannot load a copy of the module: %s", linker_words());
  return handle;
}

void kernel_host_unload(Iut *iut)
{
  if (kernel_host.loaded) release_object(iut, kernel_host.loaded);
  kernel_host.loaded = NULL;
  kernel_host.context_slot = NULL;
  if (kernel_host.module) dlclose(kernel_host.module);
  kernel_host.module = NULL;
}

void kernel_host_load_again(Iut *iut)
{
  kernel_host.unresolved[0] = '\0';
  kernel_host.module = open_module(kernel_host.path);
  expect_that(kernel_host.module != NULL, "the module is loaded again", "%s",
              kernel_host.unresolved);
  require(kernel_host.module != NULL);
  load_as_runtime(iut);
}
