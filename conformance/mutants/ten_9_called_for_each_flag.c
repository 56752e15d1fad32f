// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_9, "the deleter of a DLPack tensor runs for each flag of the tensor's deleter")

typedef void (*Deleter)(void *self, int flags);

static Deleter inner;

static void end(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong)
    inner(self, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) inner(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  TVMFFIObject *tensor = *out;
  inner = tensor->deleter;
  tensor->deleter = end;
  return 0;
}
