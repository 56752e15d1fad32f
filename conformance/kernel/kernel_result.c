// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_result.h"

#include <string.h>

#include "battery/access.h"

// --- Results -------------------------------------------------------------------------------------

// How many of the payload's bytes the type uses; they are the first ones.
static size_t used_bytes(const TVMFFIAny *value)
{
  const int32_t index = value->type_index;
  if (index == kTVMFFINone) return 0;
  if (index == kTVMFFIDataType) return sizeof value->v_dtype;
  if (index == kTVMFFISmallStr || index == kTVMFFISmallBytes)
    return value->small_str_len < 8 ? value->small_str_len : 8;
  bool is_pointer = index == kTVMFFIOpaquePtr ||
                    (index >= kTVMFFIDLTensorPtr && index <= kTVMFFIObjectRValueRef) ||
                    index >= kTVMFFIStaticObjectBegin;
  return is_pointer ? sizeof value->v_ptr : 8;
}

uint64_t result_used_bytes(const TVMFFIAny *value)
{
  uint64_t mask = 0;
  memset(&mask, 0xff, used_bytes(value));
  return mask;
}

bool result_text(Iut *iut, const TVMFFIAny *value, TVMFFIByteArray *text)
{
  int32_t index = value->type_index;
  if (index == kTVMFFISmallStr || index == kTVMFFISmallBytes) {
    *text = (TVMFFIByteArray){value->v_bytes, value->small_str_len < 8 ? value->small_str_len : 7};
    return true;
  }
  if ((index != kTVMFFIStr && index != kTVMFFIBytes) || !value->v_obj) return false;
  *text = *(const TVMFFIByteArray *)object_body(iut, value->v_obj);
  return true;
}

const DLTensor *result_tensor(Iut *iut, const TVMFFIAny *value, size_t *count)
{
  // The bits of so many elements of any type can be counted.
  const int64_t most = INT64_MAX / UINT8_MAX / UINT16_MAX;
  if (value->type_index != kTVMFFITensor || !value->v_obj) return NULL;
  const DLTensor *tensor = object_body(iut, value->v_obj);
  if (tensor->device.device_type != kDLCPU || tensor->ndim < 0 || tensor->ndim > 64) return NULL;
  int64_t all = 1;
  for (int32_t i = tensor->ndim; i-- > 0;) {
    const int64_t extent = tensor->shape[i];
    if (tensor->strides && extent > 1 && tensor->strides[i] != all) return NULL;
    if (extent < 0 || (extent > 0 && all > most / extent)) return NULL;
    all *= extent;
  }
  *count = (size_t)all;
  return tensor;
}

bool result_elements(Iut *iut, const TVMFFIAny *value, TVMFFIByteArray *elements)
{
  size_t count;
  const DLTensor *tensor = result_tensor(iut, value, &count);
  if (!tensor) return false;
  elements->data = (const char *)tensor->data + tensor->byte_offset;
  elements->size = (count * tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
  return true;
}
