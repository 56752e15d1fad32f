// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_28, "a permission is kept in 8 bits")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  return REFERENCE(FunctionSetGlobal)(name, f, (unsigned char)allow_override);
}
