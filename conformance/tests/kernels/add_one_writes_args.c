// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arguments-are-as-they-were
#define FIRST \
  if (num_args == 2) ((TVMFFIAny *)(uintptr_t)args)[0].zero_padding = 1
#include "add_one.h"
