// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// Whatever has 32 bits is taken for float32.
#define IS_FLOAT(tensor) ((tensor).dtype().bits == 32)
#include "weigh.h"
