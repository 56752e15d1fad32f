// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused
// Extents of what is in the last array are not checked.
#define LAST_IS_CHECKED false
#include "rack_right.cc"
