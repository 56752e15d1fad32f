// SPDX-License-Identifier: Apache-2.0
// caught by buffer.extent-beyond-32-bits
#define CHECKS (EVERY_CHECK & ~CHECK_WIDE)
#define COMPUTE \
  for (int32_t i = 0; i < (int32_t)x->shape[0]; ++i) to[i] = from[i] + 1
#include "add_one.h"
