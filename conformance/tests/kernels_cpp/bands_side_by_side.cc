// SPDX-License-Identifier: Apache-2.0
// caught by buffer.strides.gaps
// The second stride is taken to follow from the last one.
#define STRIDE_OF_BAND(x) ((x).size(2) * (x).stride(2))
#include "bands.h"
