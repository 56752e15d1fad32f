// SPDX-License-Identifier: Apache-2.0
// caught by buffer.views-of-other-calls.strides
#define CHECKS_X(x) CheckElements(x, "x", kDLCPU)
#include "lift.h"
