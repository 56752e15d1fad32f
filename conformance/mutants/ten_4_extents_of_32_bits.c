// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_4, "extents are kept in 32 bits")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  static _Thread_local int64_t extents[32];
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  DLTensor *body = (DLTensor *)((TVMFFIObject *)*out + 1);
  for (int i = 0; i < body->ndim; ++i) extents[i] = (int32_t)body->shape[i];
  if (body->ndim > 0) body->shape = extents;
  return 0;
}
