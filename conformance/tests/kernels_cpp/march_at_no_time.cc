// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// The callback is always given the time 0.
#define TIME(t) (0 * (t))
#include "march.h"
