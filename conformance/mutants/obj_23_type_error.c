// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_23, "wrapping another type is a TypeError")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  if (type_index == kTVMFFIOpaquePyObject)
    return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  TVMFFIErrorSetRaisedFromCStr("TypeError", "not an opaque type");
  return -1;
}
