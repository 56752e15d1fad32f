// SPDX-License-Identifier: Apache-2.0
// not judged by buffer.wrong-dtype
// Takes tensors of any type as far as the launch, which fails as it does where no device is. The
// message has the line of the launch in it, and each type its own.
#include <stdbool.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

static int fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

__attribute__((visibility("default"))) int __tvm_ffi_launch(void *handle, const TVMFFIAny *args,
                                                            int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_launch(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const DLTensor *x = NULL;
  (void)handle;
  (void)result;
  if (num_args != 1) return fail("TypeError", "launch takes 1 argument, x");
  if (args[0].type_index == kTVMFFIDLTensorPtr)
    x = args[0].v_ptr;
  else if (args[0].type_index == kTVMFFITensor)
    x = (const DLTensor *)(const void *)((const char *)args[0].v_obj + sizeof(TVMFFIObject));
  if (!x) return fail("TypeError", "x has to be a tensor");
  if (x->device.device_type != kDLCUDA) return fail("ValueError", "x is not on CUDA");
  if (x->ndim != 1) return fail("ValueError", "x is no vector");
  if (!x->data && x->shape[0] != 0) return fail("ValueError", "x has no data");
  bool is_float = x->dtype.code == kDLFloat;
  return fail("RuntimeError", is_float ? "launch.cu:97: no device" : "launch.cu:104: no device");
}
