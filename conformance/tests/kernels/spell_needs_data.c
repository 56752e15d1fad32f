// SPDX-License-Identifier: Apache-2.0
// caught by argument.empty-bytes-without-data
#define WRONG NEEDS_DATA
#include "spell.h"
