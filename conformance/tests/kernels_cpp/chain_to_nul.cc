// SPDX-License-Identifier: Apache-2.0
// caught by argument.nul-does-not-end-a-text-inside
#include <cstring>
#define LENGTH_OF(text) std::strlen((text).c_str())
#include "chain.h"
