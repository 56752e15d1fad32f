// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_24, "a name counts up to its 62nd byte")
OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)

{
  TVMFFIByteArray key = {name->data, name->size > 62 ? 62 : name->size};
  return REFERENCE(FunctionGetGlobal)(&key, out);
}

OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  TVMFFIByteArray key = {name->data, name->size > 62 ? 62 : name->size};
  return REFERENCE(FunctionSetGlobal)(&key, f, allow_override);
}
