// SPDX-License-Identifier: Apache-2.0
// caught by kernel.result-unused-bytes-are-zero
#define GIVE give_value(result, kTVMFFIBool, UINT64_C(0x100) + (n > 0))
#include "give.h"
