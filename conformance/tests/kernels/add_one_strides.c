// SPDX-License-Identifier: Apache-2.0
// caught by buffer.strides.padded
#define CHECKS (EVERY_CHECK & ~CHECK_STRIDES)
#include "add_one.h"
