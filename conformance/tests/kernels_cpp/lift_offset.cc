// SPDX-License-Identifier: Apache-2.0
// caught by buffer.views-of-other-calls.byte-offset
#define FLOATS_OF_X(x) static_cast<const float *>((x).data_ptr())
#include "lift.h"
