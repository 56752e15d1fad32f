// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused
// NaN is taken as a step.
#define STEP_IS_FINITE(x) !std::isinf(x)
#include "calm_right.cc"
