// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_58, "the prefix of a system library stands before that of the functions")
WRAP(void *, system_lib_symbol, const char *name, size_t size)
{
  if (size > 10 && strncmp(name, "__tvm_ffi_", 10) == 0 && name[10] != '_') return NULL;
  return REAL(system_lib_symbol)(name, size);
}
