// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_23, "looking up a name that is unknown fails")
OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || *out) return status;
  TVMFFIErrorSetRaisedFromCStr("KeyError", "no such function");
  return -1;
}
