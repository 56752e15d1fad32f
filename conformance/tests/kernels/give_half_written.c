// SPDX-License-Identifier: Apache-2.0
// caught by kernel.result-slot-is-not-read
#define GIVE                       \
  result->type_index = kTVMFFIInt; \
  memcpy(&result->v_int64, &n, 4)
#include "give.h"
