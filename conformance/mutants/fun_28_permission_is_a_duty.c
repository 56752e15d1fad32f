// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_28, "with permission to override a name must be taken")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  TVMFFIObjectHandle old = NULL;
  TVMFFIFunctionGetGlobal(name, &old);
  if (old) TVMFFIObjectDecRef(old);
  if (old || !allow_override) return REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "there is nothing to override");
  return -1;
}
