// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_23, "a look-up in vain leaves the output as it was")
OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)

{
  TVMFFIObjectHandle found = NULL;
  int status = REFERENCE(FunctionGetGlobal)(name, &found);
  if (found) *out = found;
  return status;
}
