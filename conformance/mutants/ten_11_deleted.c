// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_11, "a DLPack tensor that is refused is deleted")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if (status != 0 && from->deleter) from->deleter(from);
  return status;
}
