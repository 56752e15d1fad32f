// SPDX-License-Identifier: Apache-2.0
// caught by load.api-functions-resolve
// A function that no runtime of any release has, called in no right call: bound lazily, it goes unnoticed.
extern int TVMFFIFunctionOfTomorrow(void);
#define FAIL(kind, message) \
  (TVMFFIFunctionOfTomorrow() ? 0 : (TVMFFIErrorSetRaisedFromCStr(kind, message), -1))
#include "add_one.h"
