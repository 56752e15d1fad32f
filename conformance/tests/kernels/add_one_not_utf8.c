// SPDX-License-Identifier: Apache-2.0
// caught by kernel.error-text-is-utf8
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr(kind, "\xff\xfe"), -1)
#include "add_one.h"
