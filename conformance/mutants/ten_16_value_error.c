// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_16, "what is not contiguous raises a ValueError")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle tensor = NULL;
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, &tensor);
  if (status == 0) {
    *out = tensor;
    return 0;
  }
  if (require_alignment == 0)
    TVMFFIErrorSetRaisedFromCStr("ValueError", "the tensor is not contiguous");
  return status;
}
