// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_15, "what is not aligned raises a ValueError")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle tensor = NULL;
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, 0, &tensor);
  if (status != 0) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "the data are not aligned");
    return status;
  }
  if (!require_contiguous) {
    *out = tensor;
    return 0;
  }
  return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
}
