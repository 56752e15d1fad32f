// SPDX-License-Identifier: Apache-2.0
// caught by kernel.calls-at-the-same-time
// How long the vectors are is kept for all threads: right as long as they are as long in all of them.
#define FACTOR(scale, step) (std::pow(scale, step) * LengthOf(count) / double(count))
#include <cmath>
#include <cstdint>

namespace graft
{
inline double LengthOf(int64_t count)
{
  static volatile int64_t length;
  length = count;
  for (volatile int wait = 0; wait < 20000;) wait = wait + 1;
  return double(length);
}
}  // namespace graft

#include "graft.h"
