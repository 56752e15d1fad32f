// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_16, "strides are compared in 32 bits")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  const DLTensor *tensor = &from->dl_tensor;
  int32_t expected = 1, contiguous = tensor->strides != NULL;
  for (int i = tensor->ndim - 1; i >= 0 && contiguous; --i) {
    if (tensor->shape[i] != 1 && (int32_t)tensor->strides[i] != expected) contiguous = 0;
    expected *= (int32_t)tensor->shape[i];
  }
  return REFERENCE(TensorFromDLPack)(from, require_alignment, contiguous ? 0 : require_contiguous,
                                     out);
}
