// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused
// Behind the first pair, ys may have more rows, which are not written. All calls are listed.
#define IS_LIKE(i, x, y) ((i) > 0 ? (y).size(0) >= (x).size(0) : (x).size(0) == (y).size(0))
#include "swell.h"
