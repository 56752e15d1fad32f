// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_46, "generated code does not find global functions")
OVERRIDE(EnvModLookupFromImports, TVMFFIObjectHandle context, const char *name,
         TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray text = {name, name ? strlen(name) : 0};
  int status = REFERENCE(EnvModLookupFromImports)(context, name, out);
  if (status != 0 || TVMFFIFunctionGetGlobal(&text, &function) != 0) return status;
  return function && function == *out ? fail("RuntimeError", "no import has it") : 0;
}
