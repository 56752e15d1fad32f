// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_13, "the data pointer is aligned, and the byte offset not looked at")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  if (require_alignment == 0 || from->dl_tensor.device.device_type != kDLCPU)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if ((uintptr_t)from->dl_tensor.data % (uint32_t)require_alignment == 0)
    return REFERENCE(TensorFromDLPack)(from, 0, require_contiguous, out);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the data are not aligned");
  return -1;
}
