// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_20, "a NULL pointer can't be wrapped")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  if (handle != NULL) return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "nothing to wrap");
  return -1;
}
