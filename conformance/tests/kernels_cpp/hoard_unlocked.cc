// SPDX-License-Identifier: Apache-2.0
// caught by kernel.objects-are-shared
// Threads take numbers out without a lock: two may get the same one.
#define LOCK(lock_of)
#include "hoard.h"
