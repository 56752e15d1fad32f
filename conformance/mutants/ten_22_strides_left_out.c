// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_22, "a contiguous tensor is exported without strides")
OVERRIDE(TensorToDLPack, TVMFFIObjectHandle from, DLManagedTensor **out)
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  DLTensor *tensor = &(*out)->dl_tensor;
  int64_t expected = 1;
  for (int i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->strides[i] != expected) return 0;
    expected *= tensor->shape[i];
  }
  tensor->strides = NULL;
  return 0;
}
