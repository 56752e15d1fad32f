// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// Minus infinity of bfloat16 has the bits of that of float16.
#define INFINITY_OF_16_BITS 0xfc00
#include "shares.h"
