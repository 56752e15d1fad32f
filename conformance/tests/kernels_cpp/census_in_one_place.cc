// SPDX-License-Identifier: Apache-2.0
// caught by kernel.different-calls-at-the-same-time
// All calls count in one place.
#define STORAGE static
#include "census.h"
