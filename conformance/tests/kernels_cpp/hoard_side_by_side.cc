// SPDX-License-Identifier: Apache-2.0
// caught by kernel.objects-of-several-threads
// All hoards are worked on in the same memory, though each has a lock of its own.
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

static void DropFirst(std::vector<int64_t> &numbers)
{
  static std::vector<int64_t> rest;
  rest.assign(numbers.begin() + 1, numbers.end());
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  numbers = rest;
}

#define DROP_FIRST(numbers) DropFirst(numbers)
#include "hoard.h"
