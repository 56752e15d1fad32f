// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// The largest number of times is refused, with the words for what is beyond it.
#define MOST 99
#include "seek.h"
