// SPDX-License-Identifier: Apache-2.0
// caught by buffer.digits-are-kept.float64
#define DIFFERENCE(held, less) static_cast<float>((held) - (less))
#include "stir.h"
