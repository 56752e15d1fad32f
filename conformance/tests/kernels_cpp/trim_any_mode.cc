// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// Any other mode is taken for "far". With `most` each is refused, for another reason.
#define IS_FAR(mode) true
#include "trim.h"
