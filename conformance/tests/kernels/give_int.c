// SPDX-License-Identifier: Apache-2.0
// passes
#define GIVE give_value(result, kTVMFFIInt, (uint64_t)n + 1)
#include "give.h"
