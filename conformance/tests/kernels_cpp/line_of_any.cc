// SPDX-License-Identifier: Apache-2.0
// caught by buffer.wrong-dtype.twice-as-wide
// Only the first part says how wide elements are.
#define IS_OF_TYPE(part, first) ((void)(first), true)
#include "line.h"
