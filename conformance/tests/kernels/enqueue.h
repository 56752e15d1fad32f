// SPDX-License-Identifier: Apache-2.0
// enqueue(x): asks for the stream of the device that x is on, as the including file says in STREAM,
// and launches nothing. The memory of x is not touched.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_ENQUEUE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_ENQUEUE_H_

#include <stdint.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

static inline int enqueue_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

__attribute__((visibility("default"))) int __tvm_ffi_enqueue(void *handle, const TVMFFIAny *args,
                                                             int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_enqueue(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const DLTensor *x = NULL;
  (void)handle;
  (void)result;
  if (num_args != 1) return enqueue_fail("TypeError", "enqueue takes 1 argument, x");
  if (args[0].type_index == kTVMFFIDLTensorPtr)
    x = args[0].v_ptr;
  else if (args[0].type_index == kTVMFFITensor)
    x = (const DLTensor *)(const void *)((const char *)args[0].v_obj + sizeof(TVMFFIObject));
  if (!x) return enqueue_fail("TypeError", "x has to be a tensor");
  if (x->device.device_type != kDLCUDA) return enqueue_fail("ValueError", "x is not on CUDA");
  if (x->dtype.code != kDLFloat || x->dtype.bits != 32 || x->dtype.lanes != 1 || x->ndim != 1)
    return enqueue_fail("ValueError", "x is no vector of float32");
  if (!x->data && x->shape[0] != 0) return enqueue_fail("ValueError", "x has no data");
  STREAM;
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_ENQUEUE_H_
