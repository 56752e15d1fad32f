// SPDX-License-Identifier: Apache-2.0
// caught by kernel.sequence-gives-what-is-listed
// A ring counts although the callback has refused it.
#define COUNTS_FIRST 1
#include "bell.h"
