// SPDX-License-Identifier: Apache-2.0
// caught by kernel.output-of-another-number-is-written
// Zeros are not written.
#define LEAVES_OUT(factor) ((factor) == 0)
#include "spread.h"
