// SPDX-License-Identifier: Apache-2.0
// caught by buffer.strides.padded
// Nothing is done where there is something between the elements.
#define LEAVES_OUT(x) (!(x).IsContiguous())
#include "negate.h"
