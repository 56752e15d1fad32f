// SPDX-License-Identifier: Apache-2.0
// Mutants of alignment and contiguity that an import requires.
#include "mutants/mutant.h"

MUTANT(TEN_13, managed_memory_is_a_handle, TensorFromDLPack,
       "the data pointer of managed CUDA memory is taken for a handle")
{
  const DLTensor *tensor = &from->dl_tensor;
  if (tensor->device.device_type == kDLCUDAManaged && require_alignment != 0 &&
      tensor->byte_offset % (uint32_t)require_alignment == 0)
    return REFERENCE(TensorFromDLPack)(from, 0, require_contiguous, out);
  return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
}

MUTANT(TEN_13, offset_forgotten, TensorFromDLPack,
       "the data pointer is aligned, and the byte offset not looked at")
{
  if (require_alignment == 0 || from->dl_tensor.device.device_type != kDLCPU)
    return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
  if ((uintptr_t)from->dl_tensor.data % (uint32_t)require_alignment == 0)
    return REFERENCE(TensorFromDLPack)(from, 0, require_contiguous, out);
  return fail("RuntimeError", "the data are not aligned");
}

MUTANT(TEN_15, nothing_is_aligned, TensorFromDLPackVersioned,
       "on devices with handles alignment is not looked at")
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

MUTANT(TEN_15, accepted, TensorFromDLPackVersioned,
       "alignment is not looked at where there is a version")
{
  return REFERENCE(TensorFromDLPackVersioned)(from, 0, require_contiguous, out);
}

MUTANT(TEN_40, value_error, TensorFromDLPack, "what is not aligned raises a ValueError")
{
  TVMFFIObjectHandle tensor = NULL;
  int status = REFERENCE(TensorFromDLPack)(from, require_alignment, 0, &tensor);
  if (status != 0) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "the data are not aligned");
    return status;
  }
  if (!require_contiguous) {
    *out = tensor;
    return 0;
  }
  return REFERENCE(TensorFromDLPack)(from, require_alignment, require_contiguous, out);
}

MUTANT(TEN_16, only_one_is_required, TensorFromDLPackVersioned,
       "contiguity is required by 1 and by no other number")
{
  return REFERENCE(TensorFromDLPackVersioned)(from, require_alignment, require_contiguous == 1,
                                              out);
}

MUTANT(TEN_16, strides_of_32_bits, TensorFromDLPack, "strides are compared in 32 bits")
{
  const DLTensor *tensor = &from->dl_tensor;
  int32_t expected = 1, contiguous = tensor->strides != NULL;
  for (int i = tensor->ndim - 1; i >= 0 && contiguous; --i) {
    if (tensor->shape[i] != 1 && (int32_t)tensor->strides[i] != expected) contiguous = 0;
    expected *= (int32_t)tensor->shape[i];
  }
  return REFERENCE(TensorFromDLPack)(from, require_alignment, contiguous ? 0 : require_contiguous,
                                     out);
}

MUTANT(TEN_40, scattered_value_error, TensorFromDLPack,
       "what is not contiguous raises a ValueError")
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
