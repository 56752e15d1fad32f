// SPDX-License-Identifier: Apache-2.0
// caught by buffer.bounds.symbol
// However few words are taken.
#define IS_WIDE_ENOUGH(words, wanted) ((wanted) >= 0)
#include "sieve.h"
