// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// Where x is of bfloat16, rows are filled with the bits of a float16: most rows are kept.
#define BITS_OF_BFLOAT(fill) HalfOf(fill)
#include "mask.h"
