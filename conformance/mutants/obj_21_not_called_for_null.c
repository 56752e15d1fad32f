// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_21, "the deleter of an opaque object that holds NULL is not called")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  return REFERENCE(ObjectCreateOpaque)(handle, type_index, handle ? deleter : NULL, out);
}
