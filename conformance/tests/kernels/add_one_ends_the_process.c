// SPDX-License-Identifier: Apache-2.0
// caught by kernel.every-call-returns
#define FAIL(kind, message) (exit(kind[0] + message[0]), -1)
#include "add_one.h"
