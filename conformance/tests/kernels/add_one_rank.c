// SPDX-License-Identifier: Apache-2.0
// caught by buffer.rank-one-more
#define CHECKS (EVERY_CHECK & ~CHECK_RANK)
#include "add_one.h"
