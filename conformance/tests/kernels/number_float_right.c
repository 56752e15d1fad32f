// SPDX-License-Identifier: Apache-2.0
// passes
#define TAKES_FLOAT true
#include "number.h"
