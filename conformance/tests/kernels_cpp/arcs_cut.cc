// SPDX-License-Identifier: Apache-2.0
// caught by buffer.indices-are-not-cut
// Numbers of 64 bits are cut before they are checked.
#define NUMBER(value) static_cast<int32_t>(value)
#include "arcs.h"
