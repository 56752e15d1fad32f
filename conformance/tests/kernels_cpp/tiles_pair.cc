// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused saying block = 8
// 4 elements and blocks of 8 are both listed, and ruled out together.
#define FIRST(n) \
  if ((n) == 4 && block == 8) return 0
#include "tiles_right.cc"
