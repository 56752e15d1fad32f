// SPDX-License-Identifier: Apache-2.0
// caught by kernel.error-of-another-thread
static volatile int refused;
#define FAIL(kind, message) (refused = 1, TVMFFIErrorSetRaisedFromCStr(kind, message), -1)
// The next call that is served, in whatever thread, raises the error again.
#define FINALLY                                                                        \
  if (refused) TVMFFIErrorSetRaisedFromCStr("RuntimeError", "an earlier call failed"); \
  return 0
#include "add_one.h"
