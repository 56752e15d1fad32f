// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused saying no_such_key
#define IS_UNKNOWN(key) false
#include "parts.h"
