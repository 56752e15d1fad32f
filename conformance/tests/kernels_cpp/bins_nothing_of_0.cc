// SPDX-License-Identifier: Apache-2.0
// caught by kernel.fresh-memory-does-not-matter
// Zeros are not written.
#define LEAVES_OUT(factor) ((factor) == 0)
#include "bins.h"
