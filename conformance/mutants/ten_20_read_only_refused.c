// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_20, "a tensor that is read-only is refused")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (!(from->flags & DLPACK_FLAG_BITMASK_READ_ONLY))
    return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the tensor is read-only");
  return -1;
}
