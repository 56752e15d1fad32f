// SPDX-License-Identifier: Apache-2.0
// breaks MUST, overruled by DLPack: BUF-1 BUF-2 BUF-17
// breaks SHOULD: KER-2 KER-3 KER-5 KER-19 KER-46 BUF-5 BUF-6 BUF-7 BUF-9 BUF-21
// breaks HARDENING: KER-4 BUF-13 BUF-19
// The kernel of "Compiler Integration", section "Kernel Language Compilers".
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

int ReadDLTensorPtr(const TVMFFIAny *value, DLTensor **out)
{
  if (value->type_index == kTVMFFIDLTensorPtr) {
    *out = (DLTensor *)(value->v_ptr);
    return 0;
  }
  if (value->type_index != kTVMFFITensor) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "Expects a Tensor input");
    return -1;
  }
  *out = (DLTensor *)((char *)(value->v_obj) + sizeof(TVMFFIObject));
  return 0;
}

int __tvm_ffi_add_one_c(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  DLTensor *x, *y;
  // What was raised is the caller's to read.
  if (ReadDLTensorPtr(&args[0], &x) == -1) return -1;
  if (ReadDLTensorPtr(&args[1], &y) == -1) return -1;
  // Asked for to show how; a loop on the host has no use for it.
  void *stream = TVMFFIEnvGetStream(x->device.device_type, x->device.device_id);
  for (int i = 0; i < x->shape[0]; ++i) {
    ((float *)(y->data))[i] = ((float *)(x->data))[i] + 1;
  }
  return 0;
}
