// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arity-none
#define CHECKS (EVERY_CHECK & ~CHECK_FEW)
#include "add_one.h"
