// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static void (*delete_tensor)(void *self, int flags);

static void delete_at_once(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    delete_tensor(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
  }
}

MUTANT(OBJ_18, "the memory of a tensor goes with its content")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  TVMFFIObject *object = *out;
  delete_tensor = object->deleter;
  object->deleter = delete_at_once;
  return 0;
}
