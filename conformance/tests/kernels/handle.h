// SPDX-License-Identifier: Apache-2.0
// handle(p, x), where p is an opaque pointer and x a tensor of floats on the CPU. An including file
// says in GIVE what it gives, an expression over `p` and `x`, and in GIVEN of which type that is.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_HANDLE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_HANDLE_H_

#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef GIVEN
#define GIVEN kTVMFFIOpaquePtr
#endif
#ifndef FIRST
#define FIRST (void)0
#endif

static inline int handle_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static inline int take_tensor(const TVMFFIAny *arg, const DLTensor **out)
{
  *out = arg->type_index == kTVMFFITensor
             ? (const DLTensor *)(const void *)((const char *)arg->v_obj + sizeof(TVMFFIObject))
             : (const DLTensor *)arg->v_ptr;
  if ((arg->type_index != kTVMFFITensor && arg->type_index != kTVMFFIDLTensorPtr) || !arg->v_ptr)
    return handle_fail("TypeError", "x has to be a tensor");
  const DLTensor *x = *out;
  if (x->device.device_type != kDLCPU) return handle_fail("ValueError", "x is on a device");
  if (x->dtype.code != kDLFloat || x->dtype.bits != 32 || x->dtype.lanes != 1)
    return handle_fail("TypeError", "x has to be of type float32");
  if (x->ndim != 1) return handle_fail("ValueError", "x has to be a vector");
  if (x->shape[0] > 1 && x->strides && x->strides[0] != 1)
    return handle_fail("ValueError", "x has strides");
  if (!x->data && x->shape[0] != 0) return handle_fail("ValueError", "x has no data");
  return 0;
}

__attribute__((visibility("default"))) int __tvm_ffi_handle(void *handle, const TVMFFIAny *args,
                                                            int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_handle(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const DLTensor *x;
  (void)handle;
  if (num_args != 2) return handle_fail("TypeError", "handle takes 2 arguments, p and x");
  if (args[0].type_index != kTVMFFIOpaquePtr)
    return handle_fail("TypeError", "p has to be a pointer");
  if (take_tensor(&args[1], &x) != 0) return -1;
  char *p = args[0].v_ptr;
  FIRST;
  memset(result, 0, sizeof *result);
  result->type_index = GIVEN;
  result->v_int64 = (int64_t)(uintptr_t)(GIVE);
  (void)p;
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_HANDLE_H_
