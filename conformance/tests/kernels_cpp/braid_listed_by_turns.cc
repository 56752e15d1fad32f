// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// Each third call with many rows is wrong, as of threads that share memory some are.
static int calls;
#define NOW_AND_THEN(rows) ((rows) > 4000 && ++calls % 3 == 0 ? 1.0F : 0.0F)
#include "braid.h"
