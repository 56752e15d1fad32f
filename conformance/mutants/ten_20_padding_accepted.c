// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_20, "a tensor whose elements are padded is imported")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (!(from->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED))
    return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  static DLManagedTensorVersioned packed;
  packed = *from;
  packed.flags = 0;
  return REFERENCE(TensorFromDLPackVersioned)(&packed, require_alignment, require_contiguous, out);
}
