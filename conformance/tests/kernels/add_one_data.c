// SPDX-License-Identifier: Apache-2.0
// caught by buffer.no-data
#define CHECKS (EVERY_CHECK & ~CHECK_DATA)
#include "add_one.h"
