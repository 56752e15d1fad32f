// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "mutants/mutant.h"

MUTANT(MOD_5, "a library without a variable for its context is not loaded")
WRAP(void *, dlopen, const char *file, int mode)
{
  void *handle = REAL(dlopen)(file, mode);
  if (!handle || dlsym(handle, "__tvm_ffi__library_ctx")) return handle;
  dlclose(handle);
  return NULL;
}
