// SPDX-License-Identifier: Apache-2.0
// caught by buffer.byte-offset.256-bytes
#define IN_A_MAP
#define OFFSET(view) 0
#include "halves.h"
