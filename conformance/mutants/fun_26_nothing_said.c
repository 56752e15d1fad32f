// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_26, "registering a taken name does nothing and returns 0")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  TVMFFIObjectHandle found = NULL;
  TVMFFIFunctionGetGlobal(name, &found);
  if (found) TVMFFIObjectDecRef(found);
  return found && !allow_override ? 0 : REFERENCE(FunctionSetGlobal)(name, f, allow_override);
}
