// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_6, "a tensor whose strides are missing has none")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0 || from->dl_tensor.strides) return status;
  DLTensor *body = (DLTensor *)((TVMFFIObject *)*out + 1);
  body->strides = NULL;
  return 0;
}
