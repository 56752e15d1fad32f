// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_16, "contiguity is required by 1 and by no other number")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous == 1,
                                              out);
}
