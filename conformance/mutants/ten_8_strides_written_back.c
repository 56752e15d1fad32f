// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_8, "the strides that are filled in are given to the DLPack tensor as well")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0) return status;
  DLTensor *body = (DLTensor *)((TVMFFIObject *)*out + 1);
  if (!from->dl_tensor.strides && body->ndim > 0) from->dl_tensor.strides = body->strides;
  return 0;
}
