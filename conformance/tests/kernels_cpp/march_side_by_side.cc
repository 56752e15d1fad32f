// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-tensor-may-be-a-view.strides
// The strides of what comes from the callback are ignored.
#define LOOK_AT(slope, count)                                                                \
  (Require((slope).ndim() == 1 && (slope).size(0) == (count) && (slope).dtype().bits == 64, "f"), \
   reinterpret_cast<double *>(static_cast<char *>((slope).data_ptr()) + (slope).byte_offset()))
#include "march.h"
