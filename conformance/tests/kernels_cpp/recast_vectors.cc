// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// Vectors are taken for single numbers.
#define LANES(type) true
#include "recast.h"
