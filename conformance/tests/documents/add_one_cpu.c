// SPDX-License-Identifier: Apache-2.0
// breaks MUST, overruled by DLPack: BUF-1 BUF-2 BUF-17
// breaks SHOULD: KER-2 KER-3 KER-5 KER-19 KER-46 BUF-5 BUF-6 BUF-7 BUF-9 BUF-21
// breaks HARDENING: KER-4 BUF-13 BUF-19
// The kernel of "Stable C ABI", section "Callee: add_one_cpu Kernel".
#include <tvm/ffi/c_api.h>

TVM_FFI_DLL_EXPORT int __tvm_ffi_add_one_cpu(void *handle, const TVMFFIAny *args, int32_t num_args,
                                             TVMFFIAny *result)
{
  // Its first argument is a tensor, x, in either spelling.
  DLTensor *x;
  if (args[0].type_index == kTVMFFIDLTensorPtr)
    x = (DLTensor *)(args[0].v_ptr);
  else if (args[0].type_index == kTVMFFITensor)
    x = (DLTensor *)(args[0].v_c_str + sizeof(TVMFFIObject));
  else {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "Expects a Tensor input");
    return -1;
  }
  // The second one is y.
  DLTensor *y;
  if (args[1].type_index == kTVMFFIDLTensorPtr)
    y = (DLTensor *)(args[1].v_ptr);
  else if (args[1].type_index == kTVMFFITensor)
    y = (DLTensor *)(args[1].v_c_str + sizeof(TVMFFIObject));
  else {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "Expects a Tensor output");
    return -1;
  }

  for (int64_t i = 0; i < x->shape[0]; ++i) {
    ((float *)y->data)[i] = ((float *)x->data)[i] + 1.0f;
  }

  // Nothing is written to the result.
  return 0;
}
