// SPDX-License-Identifier: Apache-2.0
// caught by buffer.no-strides.borrowed
#define CHECKS (EVERY_CHECK & ~CHECK_NO_STRIDES)
#include "add_one.h"
