// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refusal-leaks-nothing
#include <stdlib.h>

static void *volatile lost;
#define FAIL(kind, message) \
  (lost = malloc(64), TVMFFIErrorSetRaisedFromCStr(kind, message), lost ? -1 : -2)
#include "add_one.h"
