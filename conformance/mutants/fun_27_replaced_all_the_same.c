// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_27, "a name that is taken is refused, and replaced all the same")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) REFERENCE(FunctionSetGlobal)(name, f, 1);
  return status;
}
