// SPDX-License-Identifier: Apache-2.0
// passes
#define IS_UNKNOWN(key) false
#include "parts.h"
