// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "mutants/mutant.h"

MUTANT(MOD_24, "where there is no symbol with the prefix, one without is a function")
WRAP(void *, dlsym, void *handle, const char *symbol)
{
  void *address = REAL(dlsym)(handle, symbol);
  if (address || strncmp(symbol, "__tvm_ffi_", 10) != 0) return address;
  return REAL(dlsym)(handle, symbol + 10);
}
