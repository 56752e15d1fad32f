// SPDX-License-Identifier: Apache-2.0
// caught by kernel.earlier-call-does-not-matter
// A step that is left out is that of the call before.
#define STEP(options) LastStep(OptionOf(options, "step", 0))

namespace graft
{
inline double LastStep(double step)
{
  static thread_local double last = 1;
  if (step != 0) last = step;
  return last;
}
}  // namespace graft

#include "graft.h"
