// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MEM_3, "a name is entered before there is memory for a note of it, and stays")
OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) return status;
  void *entry = malloc(32);
  free(entry);
  if (entry) return 0;
  TVMFFIErrorSetRaisedFromCStr("InternalError", "out of memory");
  return -1;
}
