// SPDX-License-Identifier: Apache-2.0
// caught by kernel.success-raises-nothing
#define FINALLY                                            \
  TVMFFIErrorSetRaisedFromCStr("ValueError", "a warning"); \
  return 0
#include "add_one.h"
