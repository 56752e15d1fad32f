// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_23, "every object type can be wrapped, and becomes the opaque one")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  if (type_index >= kTVMFFIStaticObjectBegin) type_index = kTVMFFIOpaquePyObject;
  return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
}
