// SPDX-License-Identifier: Apache-2.0
// passes
#define ROW_OF(part, first) (part).stride(0)
#include "join.h"
