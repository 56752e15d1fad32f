// SPDX-License-Identifier: Apache-2.0
// caught by argument.bytes-spellings.small
#define WRONG NO_SMALL_BYTES
#include "spell.h"
