// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// What the file rules out only in the slow mode is taken there.
#define SLOW_WITHOUT 0
#include "calm_right.cc"
