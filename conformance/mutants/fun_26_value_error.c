// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_26, "registering a taken name raises a ValueError")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("ValueError", "the name is taken");
  return status;
}
