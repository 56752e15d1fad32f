// SPDX-License-Identifier: Apache-2.0
// caught by kernel.outcome-is-as-promised
#define COMPUTE \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i] = from[i] + 2
#include "add_one.h"
