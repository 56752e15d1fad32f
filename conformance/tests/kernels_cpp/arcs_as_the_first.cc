// SPDX-License-Identifier: Apache-2.0
// caught by buffer.wrong-dtype.twice-as-wide
// Where both are integers, they are read as the first is.
#define ARE_ALIKE(src, dst) true
#include "arcs.h"
