// SPDX-License-Identifier: Apache-2.0
// caught by buffer.null-tensor
#define CHECKS (EVERY_CHECK & ~CHECK_NULL)
#include "add_one.h"
