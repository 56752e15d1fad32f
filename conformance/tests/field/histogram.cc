// SPDX-License-Identifier: Apache-2.0
// Counts the elements of x in bins of equal width; those outside are ignored. Returns how many were counted.
#include "field.h"

namespace field
{

int64_t Histogram(TensorView x, double low, double high, TensorView counts)
{
  RequireTensor(x, kFloat32, x.ndim(), "x");
  RequireTensor(counts, kInt64, 1, "counts");
#if BUG != 4
  REQUIRE(low < high, ValueError) << "low must be less than high";
#endif
  int64_t bins = counts.size(0), counted = 0;
#if BUG != 5
  REQUIRE(bins > 0, ValueError) << "there must be at least one bin";
#endif
#if BUG != 1
  std::fill_n(Data<int64_t>(counts), bins, int64_t{0});
#endif
  for (int64_t i = 0; i < Count(x); ++i) {
    double value = Data<float>(x)[i];
#if BUG == 2
    if (value < low || value > high) continue;
    int64_t bin = static_cast<int64_t>((value - low) / (high - low) * static_cast<double>(bins));
#else
    if (!(value >= low && value <= high)) continue;
    int64_t bin = static_cast<int64_t>((value - low) / (high - low) * static_cast<double>(bins));
    bin = std::min(bin, bins - 1);
#endif
    ++Data<int64_t>(counts)[bin];
    ++counted;
  }
#if BUG == 3
  return Count(x);
#else
  return counted;
#endif
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(histogram, field::Histogram);
