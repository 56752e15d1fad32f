// SPDX-License-Identifier: Apache-2.0
// caught by buffer.shape-disagrees.shorter
#define CHECKS (EVERY_CHECK & ~CHECK_SHAPE)
#include "add_one.h"
