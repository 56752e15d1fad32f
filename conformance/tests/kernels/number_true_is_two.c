// SPDX-License-Identifier: Apache-2.0
// caught by argument.int-and-bool
#define TRUE_IS 2
#include "number.h"
