// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "mutants/mutant.h"

MUTANT(MOD_25, "a name may be given with the prefix of the symbols")
WRAP(void *, dlsym, void *handle, const char *symbol)
{
  if (strncmp(symbol, "__tvm_ffi___tvm_ffi_", 20) == 0) symbol += 10;
  return REAL(dlsym)(handle, symbol);
}
