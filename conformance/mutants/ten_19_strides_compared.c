// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_19, "the strides of a tensor without elements are compared like those of others")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  const DLTensor *tensor = &from->dl_tensor;
  int64_t expected = 1;
  for (int i = tensor->ndim - 1; i >= 0 && require_contiguous && tensor->strides; --i) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != expected) {
      TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the tensor is not contiguous");
      return -1;
    }
    expected *= tensor->shape[i];
  }
  return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
}
