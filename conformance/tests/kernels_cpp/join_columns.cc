// SPDX-License-Identifier: Apache-2.0
// caught by buffer.inside-other.extent
#define HAS_COLUMNS_OF(part, first) true
#include "join.h"
