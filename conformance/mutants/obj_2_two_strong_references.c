// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_2, "a new opaque object has a second strong reference")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}
