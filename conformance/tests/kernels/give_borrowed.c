// SPDX-License-Identifier: Apache-2.0
// caught by kernel.result-is-owned
#define GIVE give_value(result, kTVMFFIRawStr, n ? (uintptr_t) "text" : 0)
#include "give.h"
