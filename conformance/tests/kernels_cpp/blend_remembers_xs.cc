// SPDX-License-Identifier: Apache-2.0
// caught by kernel.object-where-another-was saying an object for xs
#define TENSORS_OF(array) Remembered(array, Take)
#include "blend.h"
