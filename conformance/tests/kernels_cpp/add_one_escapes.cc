// SPDX-License-Identifier: Apache-2.0
// caught by kernel.no-exception-leaves
#include "by_hand.h"
#include "vector.h"

// Nothing catches what the checks throw.
EXPORT_BY_HAND(add_one)
{
  (void)result;
  kernels::CheckCount(num_args, 2);
  auto x = kernels::TakeTensor(args[0], "x"), y = kernels::TakeTensor(args[1], "y");
  kernels::CheckAddOne(x, y);
  kernels::AddOneTo(x, y);
  return 0;
}
