// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// No width is refused.
#define WIDEST INFINITY
#include "stretch.h"
