// SPDX-License-Identifier: Apache-2.0
// caught by argument.wrong-plain-value.small-string
#define WRONG (ONLY_RAW | FOLLOWS_SMALL)
#include "text.h"
