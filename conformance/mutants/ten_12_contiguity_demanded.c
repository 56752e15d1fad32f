// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_12, "every tensor has to be contiguous")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  (void)require_contiguous;
  return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, 1, out);
}
