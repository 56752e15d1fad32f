// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_19, "every opaque object leaves a few bytes behind")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  static void **lost;
  void **block = malloc(16);
  if (block != NULL) *block = lost;
  lost = block;
  return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
}
