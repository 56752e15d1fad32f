// SPDX-License-Identifier: Apache-2.0
// caught by buffer.indices-are-not-cut
#define PLACE(number) static_cast<int32_t>(number)
#include "meet.h"
