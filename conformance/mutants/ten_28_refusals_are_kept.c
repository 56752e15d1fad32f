// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_28, "every refusal loses a few bytes")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  static void *lost;
  int status =
      REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
  void **block = status != 0 ? malloc(16) : NULL;
  if (block) {
    *block = lost;
    lost = block;
  }
  return status;
}
