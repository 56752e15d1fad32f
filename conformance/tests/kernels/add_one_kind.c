// SPDX-License-Identifier: Apache-2.0
// caught by kernel.error-kind
#define KIND "Oops"
#define FAIL(kind, message) (TVMFFIErrorSetRaisedFromCStr("RuntimeError", message), -1)
#include "add_one.h"
