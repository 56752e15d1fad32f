// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused
// Vectors are taken for single numbers.
#define LANES(type) true
#include "scheme.h"
