// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-tensor-is-checked.extent
// Numbers of no usual size are refused, but a shorter vector is not.
#define IS_LIKE(given, x) true
#include "ask.h"
