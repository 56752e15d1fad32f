// SPDX-License-Identifier: Apache-2.0
// caught by kernel.late-refusal-leaves-nothing
// Room for the sums of each thread is not given back where x is refused.
#define LEAK_REFUSED 1
#include "team.h"
