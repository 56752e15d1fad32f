// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// Of 16 bits is what float16 is.
#define IS_BASE_OF_BFLOAT(type) ((type).code < 0)
#include "tint.h"
