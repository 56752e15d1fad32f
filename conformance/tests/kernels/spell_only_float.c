// SPDX-License-Identifier: Apache-2.0
// caught by argument.int-for-float
#define WRONG ONLY_FLOAT
#include "spell.h"
