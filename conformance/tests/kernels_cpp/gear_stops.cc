// SPDX-License-Identifier: Apache-2.0
// caught by kernel.atomic-value
// A 0 in y is found while out is written.
#define CHECK_ALL(y, count) (void)(y)
#define CHECK_HERE(y) CheckOne(y)
#include "gear.h"
