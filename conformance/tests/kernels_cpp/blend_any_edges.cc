// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused saying one element more in edges
#define AS_MANY(c) (ys.size() == (c) && spans.size() == (c) && edges.size() > (c))
#include "blend.h"
