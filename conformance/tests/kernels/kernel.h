// SPDX-License-Identifier: Apache-2.0
// What the small kernels that test the module profile are written with, in the manner of what a
// compiler emits: each check is there, in this order, and each wrong kernel leaves one out.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_KERNEL_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_KERNEL_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#define KERNEL(name)                                                                       \
  __attribute__((visibility("default"))) int __tvm_ffi_##name(                             \
      void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);           \
  int __tvm_ffi_##name(                                                                    \
      __attribute__((unused)) void *handle, __attribute__((unused)) const TVMFFIAny *args, \
      __attribute__((unused)) int32_t num_args, __attribute__((unused)) TVMFFIAny *result)

static inline int kernel_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

// The tensor in an argument, borrowed or an object; NULL for anything else.
static inline const DLTensor *kernel_tensor(const TVMFFIAny *arg)
{
  if (arg->type_index == kTVMFFIDLTensorPtr) return arg->v_ptr;
  if (arg->type_index == kTVMFFITensor && arg->v_obj)
    return (const DLTensor *)(const void *)((const char *)arg->v_obj + sizeof(TVMFFIObject));
  return NULL;
}

static inline bool kernel_is_compact(const DLTensor *tensor)
{
  int64_t stride = 1;
  for (int32_t i = tensor->ndim; tensor->strides && i-- > 0;) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != stride) return false;
    stride *= tensor->shape[i];
  }
  return true;
}

// A vector of floats on the CPU, compact; raises and returns false if it is another tensor. `name`
// begins each message.
static inline bool kernel_is_float_vector(const DLTensor *tensor, const char *name)
{
  const char *parts[2] = {name, NULL};
  const char *kind = "ValueError";
  if (!tensor) {
    parts[1] = " has to be a tensor";
    kind = "TypeError";
  } else if (tensor->device.device_type != kDLCPU) {
    parts[1] = " has to be on the CPU";
  } else if (tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32 ||
             tensor->dtype.lanes != 1) {
    parts[1] = " has to be of type float32";
  } else if (tensor->ndim != 1) {
    parts[1] = " has to have one dimension";
  } else if (!kernel_is_compact(tensor)) {
    parts[1] = " has to be compact";
  } else if (!tensor->data && tensor->shape[0] != 0) {
    parts[1] = " has no data";
  }
  if (parts[1]) TVMFFIErrorSetRaisedFromCStrParts(kind, parts, 2);
  return parts[1] == NULL;
}

static inline float *kernel_floats(const DLTensor *tensor)
{
  return (float *)(void *)((char *)tensor->data + tensor->byte_offset);
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_KERNEL_H_
