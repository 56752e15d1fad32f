// SPDX-License-Identifier: Apache-2.0
// caught by kernel.result-padding-is-zero
#define GIVE                                   \
  give_value(result, kTVMFFIInt, (uint64_t)n); \
  result->zero_padding = 7
#include "give.h"
