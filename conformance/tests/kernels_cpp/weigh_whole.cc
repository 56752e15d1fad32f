// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// Numbers are stored as bfloat16 without their exponents.
#define AS_BFLOAT16(number) (number)
#include "weigh.h"
