// SPDX-License-Identifier: Apache-2.0
// caught by buffer.dtype-of-other-calls
// Of types of 16 bits any is taken, where it is the other one of x.
#define SAME_TYPE(x, out) ((x).bits == (out).bits && ((x).bits == 16 || (x).code == (out).code))
#include "ditto.h"
