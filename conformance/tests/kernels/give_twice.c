// SPDX-License-Identifier: Apache-2.0
// caught by kernel.same-call-gives-the-same
#define GIVE            \
  static int64_t calls; \
  give_value(result, kTVMFFIInt, (uint64_t)(n + calls++))
#include "give.h"
