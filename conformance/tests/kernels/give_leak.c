// SPDX-License-Identifier: Apache-2.0
// caught by kernel.good-call-leaks-nothing
#define GIVE give_value(result, kTVMFFIInt, ((uintptr_t)malloc(64) != 0) + (uint64_t)n)
#include "give.h"
