// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_13, "the data pointer of managed CUDA memory is taken for a handle")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  const DLTensor *tensor = &from->dl_tensor;
  if (tensor->device.device_type == kDLCUDAManaged && require_alignment != 0 &&
      tensor->byte_offset % (uint32_t)require_alignment == 0)
    return REFERENCE(TensorFromDLPack)(from, 0, require_contiguous, out);
  return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
}
