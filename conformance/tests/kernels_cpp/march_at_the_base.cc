// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-tensor-may-be-a-view.byte-offset
// The byte offset of what comes from the callback is ignored.
#define LOOK_AT(slope, count) \
  (Check(slope, count, "f must return a vector like y0"), static_cast<double *>((slope).data_ptr()))
#include "march.h"
