// SPDX-License-Identifier: Apache-2.0
// caught by buffer.far-strides.beyond-32-bits
// with pointers of 32 bits: not judged by buffer.far-strides.beyond-32-bits
#define CHECKS (EVERY_CHECK & ~CHECK_STRIDES)
#define STRIDE(t) ((t)->strides ? (t)->strides[0] : 1)
#define COMPUTE \
  for (int64_t i = 0; i < x->shape[0]; ++i) to[i * STRIDE(y)] = from[(int32_t)(i * STRIDE(x))] + 1
#include "add_one.h"
