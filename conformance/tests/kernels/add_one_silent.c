// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refusal-raises-an-error
#define FAIL(kind, message) (-1)
#include "add_one.h"
