// SPDX-License-Identifier: Apache-2.0
// copy(x): a new tensor of what x holds. A file that includes it says what is wrong with it.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_COPY_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_COPY_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#ifndef COPY_OF
#define COPY_OF(x) copy_of(x)
#endif

static int copy_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static DLTensor *copy_tensor(TVMFFIObjectHandle object)
{
  return (DLTensor *)(void *)((char *)object + sizeof(TVMFFIObject));
}

// NULL with an error raised.
__attribute__((unused)) static TVMFFIObjectHandle copy_of(TVMFFIObjectHandle x)
{
  const DLTensor *from = copy_tensor(x);
  int64_t n = from->shape[0];
  DLTensor prototype = {.device = {kDLCPU, 0}, .ndim = 1, .dtype = {kDLFloat, 32, 1}, .shape = &n};
  TVMFFIObjectHandle made = NULL;
  if (TVMFFIEnvTensorAlloc(&prototype, &made) != 0) return NULL;
  if (n > 0)
    memcpy(copy_tensor(made)->data, (const char *)from->data + from->byte_offset,
           (size_t)n * sizeof(float));
  return made;
}

__attribute__((visibility("default"))) int __tvm_ffi_copy(void *handle, const TVMFFIAny *args,
                                                          int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_copy(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  if (num_args != 1) return copy_fail("TypeError", "copy takes 1 argument, x");
  if (args[0].type_index != kTVMFFITensor) return copy_fail("TypeError", "x must be a tensor");
  const DLTensor *x = copy_tensor(args[0].v_obj);
  if (x->ndim != 1 || x->dtype.code != kDLFloat || x->dtype.bits != 32 || x->dtype.lanes != 1)
    return copy_fail("TypeError", "x must be a vector of float32");
  if (x->device.device_type != kDLCPU) return copy_fail("ValueError", "x must be on the CPU");
  if (x->shape[0] > 1 && x->strides && x->strides[0] != 1)
    return copy_fail("ValueError", "x must be compact");
  if (x->shape[0] > 0 && !x->data) return copy_fail("ValueError", "x has no data");
  TVMFFIObjectHandle made = COPY_OF(args[0].v_obj);
  if (!made) return -1;
  memset(result, 0, sizeof *result);
  result->type_index = kTVMFFITensor;
  result->v_obj = made;
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_COPY_H_
