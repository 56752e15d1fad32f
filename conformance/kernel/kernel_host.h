// SPDX-License-Identifier: Apache-2.0
// A kernel module in the worker's process: loaded into a runtime, with the observer between the
// two.
//
//   module ── TVMFFI* ──► observer (RTLD_GLOBAL) ──► real runtime (its own references bound before)
//
// The runtime is loaded first, so that what it calls of itself stays within it, and satisfies
// "libtvm_ffi.so" in the module's list of needed libraries; the observer comes next, in front of
// the runtime in the global scope, so that the module's references find it; C++ symbols that only
// the runtime has are found behind it.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_HOST_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_HOST_H_

#include <stdbool.h>
#include <stddef.h>

#include "battery/iut.h"
#include "observe/observe.h"
#include "plan/kernel.h"

typedef struct KernelHost {
  const char *path;  // borrowed; of the module
  void *module;      // from dlopen
  Observer *observer;
  void **context_slot;        // the module's __tvm_ffi__library_ctx, NULL if it has none
  void *context_before;       // what was in it when the module had just been loaded
  TVMFFIObjectHandle loaded;  // own; what ffi.ModuleLoadFromFile made of it; NULL: see load_error
  char load_error[320];    // why there is none: the runtime has no such function, or what it said
  bool lacks_loader;       // the runtime has no ffi.ModuleLoadFromFile
  char unresolved[320];    // "" if every symbol could be bound at once, else the loader's words
  bool raised_by_loading;  // an error was raised in the thread when the module had been loaded
} KernelHost;

// The one of this process; empty unless a module was loaded.
extern KernelHost kernel_host;

// Loads `runtime` and the observer, then `module` (all paths borrowed, static lifetime). `iut`
// becomes the runtime as the cases call it, unobserved; its load address is that of the module,
// where crashes are looked for. False on failure, with the reason in `error`.
bool kernel_host_load(Iut *iut, const char *module, const char *runtime, const char *observer,
                      char *error, size_t error_size);

// The last step of it: loads `module` where the runtime is. (Of a process with another build of it.)
bool kernel_host_open(Iut *iut, const char *module, char *error, size_t error_size);

// From here on this process runs a case about `kernel` (NULL: about the module as a whole),
// on the device that it names. Both are borrowed; `signature` may be NULL.
void kernel_host_choose(const Kernel *kernel, const Signature *signature);

// Other functions of the module, for cases that call them, too; the array and what is in it are borrowed.
void kernel_host_set_beside(const Kernel *const *kernels, uint32_t count);

// The exported function with this name, NULL if the module has none.
TVMFFISafeCallType kernel_host_function(const char *name);
// The same for the data or function symbol `prefix` + `name`.
void *kernel_host_symbol(const char *prefix, const char *name);

// Loads a second copy of the module's file, as the dynamic linker does it: its constructors run, no
// context symbol is filled. Ends the case as not applicable where a copy can't be loaded. Own: the
// handle, for dlclose.
void *kernel_host_open_copy(void);
// What kernel_host_function finds, in another handle.
TVMFFISafeCallType kernel_host_function_of(void *module, const char *name);
// Gives back every handle of the module that is held here, the runtime's included. Its functions
// may not be called any more.
void kernel_host_unload(Iut *iut);
// Loads it anew after that. Ends the case, with what the linker says, if it fails.
void kernel_host_load_again(Iut *iut);

// Calls exit(code) in a copy of this process, and returns the code that it ended with; 128 and the
// signal's number if one ended it, -1 if there is no copy. Exit handlers and destructors
// of all that is loaded run in the copy.
int exit_code_of_copy(int code);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_HOST_H_
