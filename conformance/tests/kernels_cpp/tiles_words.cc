// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// The stated error comes of no length.
#define WORDS "x has a rest"
#include "tiles_right.cc"
