// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static void (*delete_opaque)(void *self, int flags);

static void delete_in_the_end(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak)
    delete_opaque(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

MUTANT(OBJ_21, "the deleter of an opaque object waits for the weak references to go")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  if (status != 0) return status;
  TVMFFIObject *object = *out;
  delete_opaque = object->deleter;
  object->deleter = delete_in_the_end;
  return 0;
}
