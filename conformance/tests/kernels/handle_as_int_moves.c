// SPDX-License-Identifier: Apache-2.0
// caught by kernel.same-call-gives-the-same
#define GIVEN kTVMFFIInt
#define FIRST static int calls
#define GIVE (char *)x->data + x->byte_offset + ++calls
#include "handle.h"
