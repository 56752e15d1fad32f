// SPDX-License-Identifier: Apache-2.0
// caught by kernel.sequence-gives-what-is-listed
// The callback is kept without a reference to it.
#define KEPT Borrowed
#include "bell.h"
