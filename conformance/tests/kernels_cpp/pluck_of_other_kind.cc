// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// An element that is no index is an error of another kind than the file says.
#define ELEMENT_ERROR ValueError
#include "pluck.h"
