// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// A listed number is refused with the error of what takes too long.
#define IS_REACHED(goal) ((goal) != 999)
#include "seek.h"
