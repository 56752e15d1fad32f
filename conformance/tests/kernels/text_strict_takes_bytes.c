// SPDX-License-Identifier: Apache-2.0
// caught by argument.wrong-plain-value.small-bytes
#define WRONG TAKES_BYTES
#include "text.h"
