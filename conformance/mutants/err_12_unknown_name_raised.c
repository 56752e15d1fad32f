// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_12, "looking up a name that nobody has entered raises an error, and returns 0")
OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status == 0 && *out == NULL) TVMFFIErrorSetRaisedFromCStr("KeyError", "no such function");
  return status;
}
