// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_49, "each look-up of generated code gives a reference")
OVERRIDE(EnvModLookupFromImports, TVMFFIObjectHandle context, const char *name,
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(EnvModLookupFromImports)(context, name, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}
