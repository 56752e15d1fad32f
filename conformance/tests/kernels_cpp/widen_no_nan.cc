// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// NaN of float8_e5m2 is taken for infinity.
#define NAN_OF_E5M2 std::numeric_limits<float>::infinity()
#include "widen.h"
