// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_10, "a DLPack tensor without deleter is refused")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (from->deleter)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "the tensor has no deleter");
  return -1;
}
