// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_5, "the strides that a DLPack tensor has are not looked at")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  static _Thread_local int64_t strides[32];
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status != 0 || !from->dl_tensor.strides) return status;
  DLTensor *body = (DLTensor *)((TVMFFIObject *)*out + 1);
  int64_t next = 1;
  for (int i = body->ndim - 1; i >= 0; --i) {
    strides[i] = next;
    next *= body->shape[i];
  }
  body->strides = strides;
  return 0;
}
