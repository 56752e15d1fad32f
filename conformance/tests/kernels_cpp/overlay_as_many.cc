// SPDX-License-Identifier: Apache-2.0
// caught by buffer.shape-disagrees.exchanged
// Only the number of elements is compared.
#define ARE_ALIKE(x, y) ((x).numel() == (y).numel())
#include "overlay.h"
