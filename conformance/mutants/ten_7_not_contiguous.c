// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_7, "a tensor without dimensions is not contiguous")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (from->dl_tensor.ndim > 0 || !require_contiguous)
    return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the tensor is not contiguous");
  return -1;
}
