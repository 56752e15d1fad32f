// SPDX-License-Identifier: Apache-2.0
// caught by kernel.atomic-callback
// The output is written after each step, and a callback that fails leaves some of it.
#define AFTER_STEP(sum, out) \
  for (size_t k = 0; k < (sum).size(); ++k) (out)[k] = (sum)[k]
#include "march.h"
