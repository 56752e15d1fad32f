// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_46, "generated code finds a global function before those of imports")
OVERRIDE(EnvModLookupFromImports, TVMFFIObjectHandle context, const char *name,
         TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray text = {name, name ? strlen(name) : 0};
  if (name && TVMFFIFunctionGetGlobal(&text, &function) == 0 && function) {
    *out = function;
    return 0;
  }
  return REFERENCE(EnvModLookupFromImports)(context, name, out);
}
