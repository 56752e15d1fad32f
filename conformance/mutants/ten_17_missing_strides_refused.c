// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_17, "a tensor without strides is refused where contiguity is required")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (!require_contiguous || from->dl_tensor.strides || from->dl_tensor.ndim == 0)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the tensor has no strides");
  return -1;
}
