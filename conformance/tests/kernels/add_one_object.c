// SPDX-License-Identifier: Apache-2.0
// caught by argument.object-for-tensor.string
#define CHECKS (EVERY_CHECK & ~CHECK_OBJECT)
#include "add_one.h"
