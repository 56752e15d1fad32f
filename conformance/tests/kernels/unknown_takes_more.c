// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arity-thousand
#define CHECKS_COUNT(num_args) ((num_args) == 3 || (num_args) > 12)
#include "unknown.h"
