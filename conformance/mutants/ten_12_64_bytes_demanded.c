// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_12, "every tensor has to be aligned to 64 bytes")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  uintptr_t address = (uintptr_t)from->dl_tensor.data + from->dl_tensor.byte_offset;
  if (require_alignment != 0 || address % 64 == 0)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the data are not aligned to 64 bytes");
  return -1;
}
