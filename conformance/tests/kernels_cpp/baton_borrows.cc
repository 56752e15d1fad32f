// SPDX-License-Identifier: Apache-2.0
// caught by kernel.sequence-gives-what-is-listed
#define HOLDS 0
#include "baton.h"
