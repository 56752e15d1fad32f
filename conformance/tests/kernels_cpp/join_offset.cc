// SPDX-License-Identifier: Apache-2.0
// caught by buffer.inside.byte-offset
#define FIRST_OF(part) (part).data_ptr()
#include "join.h"
