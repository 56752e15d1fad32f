// SPDX-License-Identifier: Apache-2.0
// caught by kernel.long-calls-at-the-same-time
// Long parts are copied to memory that all threads share: it is the same there where all have the same elements.
#define FROM(elements, count) CopyOf(elements, count)
#include <algorithm>
#include <cstdint>

namespace graft
{
inline const float *CopyOf(const float *elements, int64_t count)
{
  static float copy[1 << 17];
  if (count < 1000) return elements;
  std::copy_n(elements, std::min<int64_t>(count, 1 << 17), copy);
  return copy;
}
}  // namespace graft

#include "graft.h"
