// SPDX-License-Identifier: Apache-2.0
// caught by argument.string-spellings.raw
#define WRONG NO_RAW_STRING
#include "spell.h"
