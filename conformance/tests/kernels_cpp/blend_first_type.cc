// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused saying tensors of float64 for each element 1 of T
#define TYPED_BY(i) (i)
#include "blend.h"
