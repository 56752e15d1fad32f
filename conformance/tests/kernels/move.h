// SPDX-License-Identifier: Apache-2.0
// move(x, y): would copy x to y, both on one device; asks for its stream and launches nothing. An
// including file says in SAME_DEVICE when two devices are the same.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_MOVE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_MOVE_H_

#include <stdbool.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#ifndef SAME_DEVICE
#define SAME_DEVICE(a, b) ((a).device_id == (b).device_id)
#endif

static inline int move_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static const DLTensor *tensor_of(const TVMFFIAny *arg)
{
  if (arg->type_index == kTVMFFIDLTensorPtr) return arg->v_ptr;
  if (arg->type_index != kTVMFFITensor) return NULL;
  return (const DLTensor *)(const void *)((const char *)arg->v_obj + sizeof(TVMFFIObject));
}

#define ABOUT(words) (second ? "y " words : "x " words)

static int check_tensor(const DLTensor *tensor, bool second)
{
  if (tensor->device.device_type != kDLCUDA)
    return move_fail("ValueError", ABOUT("is not on CUDA"));
  if (tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32 || tensor->dtype.lanes != 1 ||
      tensor->ndim != 1)
    return move_fail("ValueError", ABOUT("is no vector of float32"));
  if (!tensor->data && tensor->shape[0] != 0) return move_fail("ValueError", ABOUT("has no data"));
  return 0;
}

__attribute__((visibility("default"))) int __tvm_ffi_move(void *handle, const TVMFFIAny *args,
                                                          int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_move(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  (void)result;
  if (num_args != 2) return move_fail("TypeError", "move takes 2 arguments, x and y");
  const DLTensor *x = tensor_of(&args[0]), *y = tensor_of(&args[1]);
  if (!x) return move_fail("TypeError", "x has to be a tensor");
  if (!y) return move_fail("TypeError", "y has to be a tensor");
  if (check_tensor(x, false) != 0 || check_tensor(y, true) != 0) return -1;
  if (x->shape[0] != y->shape[0]) return move_fail("ValueError", "x and y differ in length");
  if (!SAME_DEVICE(x->device, y->device))
    return move_fail("ValueError", "x and y are on different devices");
  TVMFFIEnvGetStream(x->device.device_type, x->device.device_id);
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_MOVE_H_
