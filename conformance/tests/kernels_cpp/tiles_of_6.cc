// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused saying n = 6
// A listed length has another error than tiles.json states.
#define FIRST(n) Require((n) != 6 || block != 4, "internal error")
#include "tiles_right.cc"
