// SPDX-License-Identifier: Apache-2.0
// caught by buffer.wrong-dtype.two-lanes
#define CHECKS (EVERY_CHECK & ~CHECK_LANES)
#include "add_one.h"
