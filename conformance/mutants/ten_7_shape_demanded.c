// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_7, "a tensor without shape is refused, though it has no dimensions")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (from->dl_tensor.shape)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "the tensor has no shape");
  return -1;
}
