// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_21, "the table takes over the caller's reference")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status == 0) TVMFFIObjectDecRef(f);
  return status;
}
