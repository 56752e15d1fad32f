// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_48, "a look-up that fails writes NULL")
OVERRIDE(EnvModLookupFromImports, TVMFFIObjectHandle context, const char *name,
         TVMFFIObjectHandle *out)
{
  if (out) *out = NULL;
  return REFERENCE(EnvModLookupFromImports)(context, name, out);
}
