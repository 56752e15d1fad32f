// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// An infinite width is taken, which no limit rules out.
#define WIDTH_IS_FINITE(x) !std::isnan(x)
#include "calm_right.cc"
