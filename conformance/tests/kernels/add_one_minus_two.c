// SPDX-License-Identifier: Apache-2.0
// caught by kernel.minus-two-is-for-signals
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr(kind, message), -2)
#include "add_one.h"
