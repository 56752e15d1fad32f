// SPDX-License-Identifier: Apache-2.0
// caught by kernel.object-where-another-was saying an object for mode
#define IS_RISING(mode) Remembered(mode)
#include "paint.h"
