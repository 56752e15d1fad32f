// SPDX-License-Identifier: Apache-2.0
// caught by kernel.result-unused-bytes-are-zero
#define GIVE give_value(result, kTVMFFIDataType, UINT64_C(0x5a5a5a5a00012002) + (n < 0))
#include "give.h"
