// SPDX-License-Identifier: Apache-2.0
// caught by argument.int-for-float
#define TAKES_FLOAT true
#define TRUE_IS 2
#include "number.h"
