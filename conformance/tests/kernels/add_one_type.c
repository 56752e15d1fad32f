// SPDX-License-Identifier: Apache-2.0
// caught by argument.wrong-plain-value.int
#define CHECKS (EVERY_CHECK & ~CHECK_TYPE)
#include "add_one.h"
