// SPDX-License-Identifier: Apache-2.0
// caught by kernel.atomic-argument
// Without a scale pieces are checked when those before them are changed already.
#define ONE_BY_ONE
#include "quilt_right.cc"
