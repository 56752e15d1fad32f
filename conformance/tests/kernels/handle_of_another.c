// SPDX-License-Identifier: Apache-2.0
// caught by kernel.same-call-gives-the-same
// The pointer in one call, the data in the next.
#define FIRST static int calls
#define GIVE (++calls % 2 ? (void *)p : (char *)x->data + x->byte_offset)
#include "handle.h"
