// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_20, "padded elements are noticed only where no other flag is set")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  if (!(from->flags & padded) || from->flags == padded)
    return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  static DLManagedTensorVersioned packed;
  packed = *from;
  packed.flags = 0;
  return REFERENCE(TensorFromDLPackVersioned)(&packed, require_alignment, require_contiguous, out);
}
