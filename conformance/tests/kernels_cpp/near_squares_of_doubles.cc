// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// Of float64 it gives the squares whatever the power: seen with power 1 alone.
#define IS_PLAIN(power, width) ((power) == 1 && (width) == 4)
#include "near.h"
