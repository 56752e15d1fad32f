// SPDX-License-Identifier: Apache-2.0
// caught by argument.bytes-spellings.byte-array
#define WRONG NO_BYTE_ARRAY
#include "spell.h"
