// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_22, "a look-up lends the table's own reference")
OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status == 0 && *out) TVMFFIObjectDecRef(*out);
  return status;
}
