// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// float8_e5m2 is read as float8_e4m3fn, and every number is, though small ones nearly fit.
#define IS_E5M2(code) ((code) < 0)
#include "widen.h"
