// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refusal-returns-minus-one
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr(kind, message), 7)
#include "add_one.h"
