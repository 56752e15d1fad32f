// SPDX-License-Identifier: Apache-2.0
// caught by argument.nul-does-not-end-a-string
#define WRONG ENDS_AT_NUL
#include "spell.h"
