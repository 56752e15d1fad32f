// SPDX-License-Identifier: Apache-2.0
// caught by kernel.callback-tensor-may-be-a-view.strides
// What f returns is read as if it were compact.
#define STRIDE(tensor) 1
#include "relax.h"
