// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// Without fill, rows of bfloat16 hold the bits of the infinity of float16, a large number.
#define BITS_OF_BFLOAT(fill) (std::isinf(fill) ? HalfOf(fill) : BfloatOf(fill))
#include "mask.h"
