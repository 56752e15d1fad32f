// SPDX-License-Identifier: Apache-2.0
// caught by kernel.right-call
#define FINALLY return FAIL("RuntimeError", "not today")
#include "add_one.h"
