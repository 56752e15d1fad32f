// SPDX-License-Identifier: Apache-2.0
// caught by kernel.sequence-leaves-no-results
// A reference to an array that is returned is lost.
#define LOSE(array) new ffi::Array<int64_t>(array)
#include "bell.h"
