// SPDX-License-Identifier: Apache-2.0
// caught by buffer.inside-other.dtype
#define IS_FLOAT(part, at) \
  ((at) > 0 || ((part).dtype().code == kDLFloat && (part).dtype().bits == 32))
#include "join.h"
