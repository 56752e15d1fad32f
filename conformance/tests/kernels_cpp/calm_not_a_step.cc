// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused saying nan for steps
// NaN among the steps has another error than calm.json states.
#define FIRST(step) Require(!std::isnan(step), "not a step")
#include "calm_right.cc"
