// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-tensor-is-checked.rank
// The rank of what comes from the callback is not looked at.
#define LOOK_AT(slope, count)                                                              \
  (Require((slope).numel() == (count) && (slope).dtype().bits == 64, "f must return a vector"), \
   static_cast<double *>((slope).data_ptr()))
#include "march.h"
