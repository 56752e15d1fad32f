// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_63, "a symbol that is registered again keeps its address")
extern void *system_lib_symbol(const char *name, size_t size);

OVERRIDE(EnvModRegisterSystemLibSymbol, const char *name, void *symbol)
{
  if (system_lib_symbol(name, strlen(name))) return 0;
  return REFERENCE(EnvModRegisterSystemLibSymbol)(name, symbol);
}
