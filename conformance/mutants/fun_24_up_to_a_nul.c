// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_24, "a name ends at its first NUL")
OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)

{
  TVMFFIByteArray key = {name->data, name->data ? strnlen(name->data, name->size) : 0};
  return REFERENCE(FunctionGetGlobal)(&key, out);
}

OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  TVMFFIByteArray key = {name->data, name->data ? strnlen(name->data, name->size) : 0};
  return REFERENCE(FunctionSetGlobal)(&key, f, allow_override);
}
