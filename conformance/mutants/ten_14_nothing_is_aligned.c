// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_14, "on devices with handles alignment is not looked at")
OVERRIDE(TensorFromDLPackVersioned, DLManagedTensorVersioned *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  switch ((int)from->dl_tensor.device.device_type) {
    case kDLCPU:
    case kDLCUDA:
    case kDLCUDAHost:
    case kDLROCM:
    case kDLROCMHost:
    case kDLCUDAManaged:
      return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous, out);
    default:
      return REFERENCE(TensorFromDLPackVersioned)(from, 0, require_contiguous, out);
  }
}
