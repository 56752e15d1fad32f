// SPDX-License-Identifier: Apache-2.0
// caught by buffer.stride-of-extent-one.large
#define FINALLY                                                              \
  if (x->shape[0] == 1 && x->strides && x->strides[0] != 1)                  \
    return FAIL("ValueError", "x has strides, which add_one does not take"); \
  return 0
#include "add_one.h"
