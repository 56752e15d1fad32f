// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arity-none
#include "by_hand.h"
#include "vector.h"

// The number of arguments is not looked at.
EXPORT_BY_HAND(add_one)
{
  (void)num_args;
  (void)result;
  TVM_FFI_SAFE_CALL_BEGIN();
  auto x = kernels::TakeTensor(args[0], "x"), y = kernels::TakeTensor(args[1], "y");
  kernels::CheckAddOne(x, y);
  kernels::AddOneTo(x, y);
  TVM_FFI_SAFE_CALL_END();
}
