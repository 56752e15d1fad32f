// SPDX-License-Identifier: Apache-2.0
#include "frontend/structural.h"

#include "core/raise.h"

int structural_refuse(const char *function, int32_t type_index)
{
  const Type *type = type_find(type_index);
  return raise_error(
      "TypeError", function, ": values of type `",
      type == NULL ? raise_number(type_index).text : raise_name(&type->info.type_key).text,
      "` can't be compared or hashed by their structure: the type does not say how", NULL);
}

static bool structural_is_compact(const DLTensor *tensor)
{
  int64_t due = 1;
  if (tensor->strides == NULL) return true;
  for (int32_t i = tensor->ndim; i-- > 0;) {
    if (tensor->shape[i] == 0) return true;
    if (tensor->shape[i] != 1 && tensor->strides[i] != due) return false;
    due *= tensor->shape[i];
  }
  return true;
}

const void *structural_tensor(const char *function, TVMFFIObject *object, size_t *size)
{
  const DLTensor *tensor = (const DLTensor *)(object + 1);
  uint64_t bits = (uint64_t)tensor->dtype.bits * tensor->dtype.lanes;
  uint64_t elements = 1;
  if (tensor->device.device_type != kDLCPU || !structural_is_compact(tensor)) {
    raise_error("RuntimeError", function,
                ": of tensors only those on the CPU whose elements lie in a row can be read", NULL);
    return NULL;
  }
  for (int32_t i = 0; i < tensor->ndim; ++i) elements *= (uint64_t)tensor->shape[i];
  *size = (size_t)((elements * bits + 7) / 8);
  return *size == 0 ? "" : (const char *)tensor->data + tensor->byte_offset;
}
