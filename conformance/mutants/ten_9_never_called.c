// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_9, "the deleter of a DLPack tensor is forgotten")

typedef void (*Deleter)(void *self, int flags);

static Deleter inner;

static void end(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  TVMFFIObject *tensor = *out;
  inner = tensor->deleter;
  tensor->deleter = end;
  return 0;
}
