// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arity-one-more
#define CHECKS (EVERY_CHECK & ~CHECK_MANY)
#include "add_one.h"
