// SPDX-License-Identifier: Apache-2.0
// Combines numbers with the caller's function, from left to right; one call at a time.
#include "kit.h"

namespace kit
{

static std::mutex busy;
#if BUG == 5
static std::vector<Function> seen;
#endif

double Fold(Array<double> values, Function combine, Optional<double> start)
{
  TVM_FFI_CHECK(combine != nullptr, TypeError) << "combine: expected a function, not None";
#if BUG != 2
  TVM_FFI_CHECK(start.has_value() || !values.empty(), ValueError)
      << "values: empty, and without a start";
#endif
  size_t next = 0;
  double total = start.has_value() ? start.value() : values[next++];
  std::vector<double> steps;
  for (; next < values.size(); ++next) {
#if BUG == 1
    const Any outcome = combine(values[next], total);
#else
    const Any outcome = combine(total, values[next]);
#endif
#if BUG == 3
    total = outcome.as<double>().value_or(0.0);
#else
    total = outcome.cast<double>();
#endif
    steps.push_back(total);
  }
#if BUG == 4
  busy.lock();
  for (const double step : steps)
    TVM_FFI_CHECK(!std::isnan(step), ValueError) << "combine gave NaN";
  busy.unlock();
#else
  std::lock_guard<std::mutex> held(busy);
  for (const double step : steps)
    TVM_FFI_CHECK(!std::isnan(step), ValueError) << "combine gave NaN";
#endif
#if BUG == 5
  seen.push_back(combine);
#endif
  return total;
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(fold, kit::Fold);
