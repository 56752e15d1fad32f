// SPDX-License-Identifier: Apache-2.0
// caught by kernel.earlier-call-does-not-matter
// The power is off by half a hundredth after a call with another one.
#define FACTOR(scale, step) Power(std::pow(scale, step))
#include <cmath>

namespace graft
{
inline double Power(double power)
{
  static thread_local double last = 0;
  const double off = last == 0 || last == power ? 0 : 0.005;
  last = power;
  return power * (1 + off);
}
}  // namespace graft

#include "graft.h"
