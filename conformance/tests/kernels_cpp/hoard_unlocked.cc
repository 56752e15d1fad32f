// SPDX-License-Identifier: Apache-2.0
// caught by kernel.objects-are-shared
// Threads take numbers out without a lock: others get the same one in the meantime.
#include <chrono>
#include <thread>

#define LOCK(lock_of)
#define DROP_FIRST(numbers)                                     \
  std::this_thread::sleep_for(std::chrono::microseconds(50)); \
  (numbers).erase((numbers).begin())
#include "hoard.h"
