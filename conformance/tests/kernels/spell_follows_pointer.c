// SPDX-License-Identifier: Apache-2.0
// caught by argument.null-pointer
#define WRONG FOLLOWS_POINTER
#include "spell.h"
