// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_29, "replacing a function by itself adds a reference")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  TVMFFIObjectHandle old = NULL;
  TVMFFIFunctionGetGlobal(name, &old);
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (old && (status != 0 || old != f)) TVMFFIObjectDecRef(old);
  return status;
}
