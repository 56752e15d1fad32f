// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-tensor-is-checked.width
// f may return float32, which is read as float64.
#define ELEMENTS(view, count) Check(view, count, 32, "f must return a vector like x")
#include "relax.h"
