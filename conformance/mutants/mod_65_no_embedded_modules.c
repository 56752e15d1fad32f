// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_65, "a system library has no embedded modules")
WRAP(void *, system_lib_symbol, const char *name, size_t size)
{
  if (ends_with(name, "__tvm_ffi__library_bin")) return NULL;
  return REAL(system_lib_symbol)(name, size);
}
