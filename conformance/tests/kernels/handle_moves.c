// SPDX-License-Identifier: Apache-2.0
// caught by kernel.same-call-gives-the-same
#define FIRST static int calls
#define GIVE p + ++calls
#include "handle.h"
