// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_23, "the deleter is called when wrapping is refused")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  if (status != 0 && deleter != NULL) deleter(handle);
  return status;
}
