// SPDX-License-Identifier: Apache-2.0
// caught by kernel.result-is-of-its-kind
#define GIVE give_value(result, kTVMFFIFloat, (uint64_t)n)
#include "give.h"
