// SPDX-License-Identifier: Apache-2.0
// caught by kernel.earlier-call-does-not-matter saying larger tensors
// A step that is left out is 1 for the size of the first call of a thread, and more for larger ones.
#define STEP(options) (options.count("step") ? OptionOf(options, "step", 1) : StepOf(count))
#include <cstdint>

namespace graft
{
inline double StepOf(int64_t count)
{
  static thread_local int64_t first = 0;
  if (first == 0) first = count;
  return double(first) / 4;
}
}  // namespace graft

#include "graft.h"
