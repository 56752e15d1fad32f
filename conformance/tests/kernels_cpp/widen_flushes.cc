// SPDX-License-Identifier: Apache-2.0
// caught by buffer.numbers-of-their-type
// Numbers that are not normal become 0.
#define NOT_NORMAL(number) 0.0f
#include "widen.h"
