// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_3, "the deleter of a DLPack tensor runs as soon as it was imported")

static void nothing(DLManagedTensor *self)
{
  (void)self;
}

OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  static DLManagedTensor copies[1024];
  static unsigned count;
  DLManagedTensor *copy = &copies[count++ % 1024];
  *copy = *from;
  if (copy->deleter) copy->deleter = nothing;
  int status = REFERENCE(TensorFromDLPack)(copy, require_alignment, require_contiguous, out);
  if (status == 0 && from->deleter) from->deleter(from);
  return status;
}
