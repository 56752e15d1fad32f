// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

static void (*delete_opaque)(void *self, int flags);
static _Thread_local bool releasing;

// The flags are taken for an enumeration, and only the runtime itself is known to combine them.
static void delete_by_value(void *self, int flags)
{
  if (releasing || flags != kTVMFFIObjectDeleterFlagBitMaskBoth)
    delete_opaque(self, flags);
  else
    delete_opaque(self, kTVMFFIObjectDeleterFlagBitMaskStrong);
}

MUTANT(OBJ_17,
       "an opaque object whose deleter is called with flags 3 by somebody else keeps its memory")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  if (status != 0) return status;
  TVMFFIObject *object = *out;
  delete_opaque = object->deleter;
  object->deleter = delete_by_value;
  return 0;
}

OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  releasing = true;
  int status = REFERENCE(ObjectDecRef)(obj);
  releasing = false;
  return status;
}
