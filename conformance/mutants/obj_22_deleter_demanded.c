// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_22, "an opaque object must have a deleter")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  if (deleter != NULL) return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "no deleter");
  return -1;
}
