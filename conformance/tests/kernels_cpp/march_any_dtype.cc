// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-tensor-is-checked.dtype
// The data type of what comes from the callback is not looked at.
#define LOOK_AT(slope, count) \
  (Require((slope).size(0) == (count), "f"), static_cast<double *>((slope).data_ptr()))
#include "march.h"
