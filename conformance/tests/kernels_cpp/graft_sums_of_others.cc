// SPDX-License-Identifier: Apache-2.0
// caught by kernel.long-calls-at-the-same-time
// The sum that is gone on with may be that of a call in another thread.
#define BEGIN 0
#define END(sum) Exchange(sum)

namespace graft
{
static volatile double shared_sum;

inline void Exchange(double &sum)
{
  shared_sum = sum;
  sum = shared_sum;
}
inline void Exchange(int)
{
}
}  // namespace graft

#include "graft.h"
