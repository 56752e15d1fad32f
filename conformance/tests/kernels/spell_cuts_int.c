// SPDX-License-Identifier: Apache-2.0
// caught by argument.int-is-not-cut
#define WRONG CUTS_INT
#include "spell.h"
