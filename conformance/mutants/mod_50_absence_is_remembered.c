// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_50, "a name that was not found once is never found")
OVERRIDE(EnvModLookupFromImports, TVMFFIObjectHandle context, const char *name,
         TVMFFIObjectHandle *out)
{
  static char absent[64];
  if (name && absent[0] && strcmp(name, absent) == 0) return fail("RuntimeError", "not found");
  int status = REFERENCE(EnvModLookupFromImports)(context, name, out);
  if (status != 0 && name && strlen(name) < sizeof absent) strcpy(absent, name);
  return status;
}
