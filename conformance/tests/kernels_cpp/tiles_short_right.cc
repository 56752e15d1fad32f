// SPDX-License-Identifier: Apache-2.0
// passes
// 4 elements are too few for blocks of 8, which it says in words of its own: 6 elements have the error that tiles.json
// states.
#define FIRST(n) Require((n) >= block, "x must have a block at least")
#include "tiles_right.cc"
