// SPDX-License-Identifier: Apache-2.0
// caught by kernel.earlier-call-does-not-matter
// Without weights those of the call before are used.
#define WEIGHTS(given, count) WeightsOrLast(given, count)
#include <cstddef>
#include <vector>
namespace graft
{
template <typename T>
std::vector<double> WeightsOrLast(const T &given, size_t count);
}
#include "graft.h"

namespace graft
{
template <typename T>
std::vector<double> WeightsOrLast(const T &given, size_t count)
{
  static thread_local std::vector<double> last;
  if (given.has_value() || last.size() != count) last = WeightsOf(given, count);
  return last;
}
}  // namespace graft
