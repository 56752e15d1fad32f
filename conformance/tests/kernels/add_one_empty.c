// SPDX-License-Identifier: Apache-2.0
// caught by buffer.empty-tensors.without-data
#define CHECKS (EVERY_CHECK & ~CHECK_EMPTY)
#include "add_one.h"
