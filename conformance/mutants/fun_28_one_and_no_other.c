// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_28, "only a permission of exactly 1 overrides")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  return REFERENCE(FunctionSetGlobal)(name, f, allow_override == 1);
}
