// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arguments-keep-their-counts
#include <tvm/ffi/container/array.h>

#include "by_hand.h"
#include "vector.h"

// A tensor that comes as an object stays for ever.
EXPORT_BY_HAND(add_one)
{
  static auto *kept = new tvm::ffi::Array<tvm::ffi::Any>();
  (void)result;
  TVM_FFI_SAFE_CALL_BEGIN();
  kernels::CheckCount(num_args, 2);
  auto x = kernels::TakeTensor(args[0], "x"), y = kernels::TakeTensor(args[1], "y");
  kernels::CheckAddOne(x, y);
  if (args[0].type_index == kTVMFFITensor)
    kept->push_back(tvm::ffi::AnyView::CopyFromTVMFFIAny(args[0]));
  kernels::AddOneTo(x, y);
  TVM_FFI_SAFE_CALL_END();
}
