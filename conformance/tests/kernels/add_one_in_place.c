// SPDX-License-Identifier: Apache-2.0
// caught by buffer.inputs-are-not-written-to
#define FINALLY                                       \
  if (x->shape[0]) ((float *)(uintptr_t)from)[0] = 0; \
  return 0
#include "add_one.h"
