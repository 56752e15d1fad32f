// SPDX-License-Identifier: Apache-2.0
// caught by kernel.earlier-call-does-not-matter
// The power is kept for the next calls of the same step, whatever their scale is.
#define FACTOR(scale, step) Power(scale, step)
#include <cmath>

namespace graft
{
inline double Power(double scale, double step)
{
  static thread_local double last = NAN, power;
  if (step != last) power = std::pow(scale, step);
  last = step;
  return power;
}
}  // namespace graft

#include "graft.h"
