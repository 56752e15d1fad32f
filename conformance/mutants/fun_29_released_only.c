// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_29, "replacing a function by itself releases the table's reference and takes none")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)

{
  TVMFFIObjectHandle old = NULL;
  TVMFFIFunctionGetGlobal(name, &old);
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (old) TVMFFIObjectDecRef(old);
  if (old && old == f && status == 0) TVMFFIObjectDecRef(old);
  return status;
}
