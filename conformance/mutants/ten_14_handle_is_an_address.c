// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_14, "the handle of a Vulkan buffer is taken for an address")
OVERRIDE(TensorFromDLPack, DLManagedTensor *from, int32_t require_alignment,
         int32_t require_contiguous, TVMFFIObjectHandle *out)
{
  const DLTensor *tensor = &from->dl_tensor;
  uintptr_t address = (uintptr_t)tensor->data + tensor->byte_offset;
  if (tensor->device.device_type != kDLVulkan || require_alignment == 0 ||
      address % (uint32_t)require_alignment == 0)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the data are not aligned");
  return -1;
}
