// SPDX-License-Identifier: Apache-2.0
#include "core/unwinder.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef TVM_FFI_NO_UNWINDER
enum { UNWINDER_FUNCTIONS = sizeof(Unwinder) / sizeof(void *) };

// Takes all functions of a library. Returns whether it has them.
static bool unwinder_read(void *library, Unwinder *unwinder)
{
  static const char *const names[UNWINDER_FUNCTIONS] = {"_Unwind_Backtrace", "_Unwind_GetIPInfo",
                                                        "_Unwind_SetGR", "_Unwind_SetIP",
                                                        "_Unwind_DeleteException"};
  void *found[UNWINDER_FUNCTIONS];
  for (size_t i = 0; i < UNWINDER_FUNCTIONS; ++i) {
    found[i] = dlsym(library, names[i]);
    if (found[i] == NULL) return false;
  }
  memcpy(unwinder, found, sizeof found);
  return true;
}

// One that is loaded already is that of whoever throws exceptions. It stays loaded.
static bool unwinder_load(Unwinder *unwinder)
{
  static const char *const libraries[] = {"libgcc_s.so.1", "libunwind.so.1"};
  static const int modes[] = {RTLD_LAZY | RTLD_NOLOAD, RTLD_LAZY};
  for (size_t i = 0; i < 4; ++i) {
    void *library = dlopen(libraries[i % 2], modes[i / 2]);
    if (library == NULL) continue;
    if (unwinder_read(library, unwinder)) return true;
    dlclose(library);
  }
  return false;
}

bool unwinder_get(Unwinder *unwinder)
{
  // All threads that look for them at the same time find the same, and store the last one last.
  static _Atomic(uintptr_t) kept[UNWINDER_FUNCTIONS];
  uintptr_t found[UNWINDER_FUNCTIONS];
  const size_t last = UNWINDER_FUNCTIONS - 1;
  if (atomic_load_explicit(&kept[last], memory_order_acquire) == 0) {
    if (!unwinder_load(unwinder)) return false;
    memcpy(found, unwinder, sizeof found);
    for (size_t i = 0; i <= last; ++i) {
      atomic_store_explicit(&kept[i], found[i], memory_order_release);
    }
    return true;
  }
  for (size_t i = 0; i <= last; ++i) {
    found[i] = atomic_load_explicit(&kept[i], memory_order_relaxed);
  }
  memcpy(unwinder, found, sizeof found);
  return true;
}
#endif
