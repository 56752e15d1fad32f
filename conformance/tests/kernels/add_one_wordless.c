// SPDX-License-Identifier: Apache-2.0
// caught by kernel.error-says-something
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr(kind, ""), -1)
#include "add_one.h"
