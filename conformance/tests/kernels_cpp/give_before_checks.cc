// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refusal-leaves-the-result
#include "by_hand.h"

// The result is there before it is known whether there will be one.
EXPORT_BY_HAND(give)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  *result = tvm::ffi::AnyView(static_cast<int64_t>(num_args)).CopyToTVMFFIAny();
  kernels::CheckCount(num_args, 1);
  result->v_int64 = kernels::TakeInt(args[0], "n");
  TVM_FFI_SAFE_CALL_END();
}
