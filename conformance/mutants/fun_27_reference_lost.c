// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_27, "a function that is refused keeps the reference that was taken for it")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) TVMFFIObjectIncRef(f);
  return status;
}
