// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_23, "the output is NULL when wrapping is refused")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  *out = NULL;
  return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
}
