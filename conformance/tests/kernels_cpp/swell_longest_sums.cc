// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// Sums of the second pair have an element more.
#define SUMS_OF(i, rows) ((rows) + ((i) == 1))
#include "swell.h"
