// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_15, "alignment is not looked at where there is a version")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  (void)require_alignment;
  return REFERENCE(TensorFromDLPackVersioned)(from, 0, require_contiguous, out);
}
