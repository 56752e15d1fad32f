// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_8, "an imported tensor is marked as shared")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  if (status == 0) from->flags |= UINT64_C(1) << 63;
  return status;
}
