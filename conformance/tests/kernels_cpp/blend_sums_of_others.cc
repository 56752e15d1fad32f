// SPDX-License-Identifier: Apache-2.0
// caught by kernel.different-calls-at-the-same-time
// All threads have one sum: only tensors in an array show it.
#include <thread>
#define SUM static volatile double
#define PAUSE std::this_thread::yield()
#include "blend.h"
