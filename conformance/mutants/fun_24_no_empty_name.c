// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_24, "the empty name is not registered")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  if (name->size == 0) return 0;
  return REFERENCE(FunctionSetGlobal)(name, f, allow_override);
}
