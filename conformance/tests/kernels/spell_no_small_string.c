// SPDX-License-Identifier: Apache-2.0
// caught by argument.string-spellings.small
#define WRONG NO_SMALL_STRING
#include "spell.h"
