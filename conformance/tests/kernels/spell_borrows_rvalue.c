// SPDX-License-Identifier: Apache-2.0
// caught by argument.rvalue-reference
#define WRONG BORROWS_RVALUE
#include "spell.h"
