// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-tensor-is-checked.extent
// Fewer elements than there are may come from the callback.
#define LOOK_AT(slope, count) Check(slope, -1, "f must return a vector")
#include "march.h"
