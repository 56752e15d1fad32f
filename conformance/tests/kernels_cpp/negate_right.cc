// SPDX-License-Identifier: Apache-2.0
// passes
#define LEAVES_OUT(x) false
#include "negate.h"
