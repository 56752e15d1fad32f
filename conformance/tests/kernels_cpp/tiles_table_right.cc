// SPDX-License-Identifier: Apache-2.0
// passes
// All lengths that are not listed are refused for themselves.
#define IS_LENGTH(n) ((n) == 4 || (n) == 6 || (n) == 8)
#include "tiles_right.cc"
