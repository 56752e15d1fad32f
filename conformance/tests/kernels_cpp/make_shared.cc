// SPDX-License-Identifier: Apache-2.0
// caught by kernel.returned-object-brings-a-reference
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "by_hand.h"

namespace kernels
{

// One tensor for all calls.
tvm::ffi::Tensor *Made()
{
  static auto *made = new tvm::ffi::Tensor(
      tvm::ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, tvm::ffi::Shape({3}),
                                     DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0}));
  return made;
}

}  // namespace kernels

// A view of it is handed out, as if there were a reference with it.
EXPORT_BY_HAND(make)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  kernels::CheckCount(num_args, 1);
  kernels::TakeInt(args[0], "n");
  *result = tvm::ffi::AnyView(*kernels::Made()).CopyToTVMFFIAny();
  TVM_FFI_SAFE_CALL_END();
}
