// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-tensor-is-checked.bytes
// Numbers of no usual size are refused, but another data type is not.
#define IS_FLOAT64(type) true
#include "ask.h"
