// SPDX-License-Identifier: Apache-2.0
// caught by buffer.wrong-dtype.int
#define CHECKS (EVERY_CHECK & ~CHECK_DTYPE)
#include "add_one.h"
