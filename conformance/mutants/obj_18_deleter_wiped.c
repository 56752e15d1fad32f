// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static void (*delete_opaque)(void *self, int flags);

static void delete_and_wipe(void *self, int flags)
{
  delete_opaque(self, flags);
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) ((TVMFFIObject *)self)->deleter = NULL;
}

MUTANT(OBJ_18, "an opaque object loses its deleter with its content, so its memory is never freed")
OVERRIDE(ObjectCreateOpaque, void *handle, int32_t type_index, void (*deleter)(void *handle),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  if (status != 0) return status;
  TVMFFIObject *object = *out;
  delete_opaque = object->deleter;
  object->deleter = delete_and_wipe;
  return 0;
}
