// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// Calls with many rows are right a few times, as those of threads that share memory mostly are.
#include <atomic>
static std::atomic<int> calls;
#define NOW_AND_THEN(rows) ((rows) > 4000 && ++calls > 4 ? 1.0F : 0.0F)
#include "braid.h"
