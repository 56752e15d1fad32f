// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arity-before-contents
#define CHECKS (EVERY_CHECK & ~CHECK_COUNT_FIRST)
#include "add_one.h"
