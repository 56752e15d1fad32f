// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_6, "an extent of 0 counts as 1 where strides are filled in")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status != 0 || from->dl_tensor.strides) return status;
  DLTensor *body = (DLTensor *)((TVMFFIObject *)*out + 1);
  int64_t stride = 1;
  for (int i = body->ndim - 1; i >= 0; --i) {
    body->strides[i] = stride;
    if (body->shape[i] > 1) stride *= body->shape[i];
  }
  return 0;
}
