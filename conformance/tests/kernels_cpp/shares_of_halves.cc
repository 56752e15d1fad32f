// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// Elements of bfloat16 are read as float16.
#define OF_16_BITS(bits) shares::Half(bits)
#include "shares.h"
