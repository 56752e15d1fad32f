// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_23, "a look-up in vain returns 0 but raises an error")
OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status == 0 && !*out) TVMFFIErrorSetRaisedFromCStr("KeyError", "no such function");
  return status;
}
