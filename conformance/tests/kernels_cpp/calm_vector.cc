// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// Infinities and NaN in the vector are taken.
#define X_IS_FINITE(x) true
#include "calm_right.cc"
