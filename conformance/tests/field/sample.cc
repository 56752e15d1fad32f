// SPDX-License-Identifier: Apache-2.0
// Draws one index per row of probabilities; the same seed gives the same indices.
#include <chrono>
#include <random>

#include "field.h"

namespace field
{

void Sample(TensorView probs, int64_t seed, ffi::Optional<double> top_p, TensorView out)
{
  RequireTensor(probs, kFloat32, 2, "probs");
  RequireTensor(out, kInt32, 1, "out");
  REQUIRE(out.size(0) == probs.size(0), ValueError) << "out must have one element per row";
  REQUIRE(probs.size(0) == 0 || probs.size(1) > 0, ValueError) << "probs must not be empty";
#if BUG == 4
  double limit = top_p.value_or(1.0);
#else
  double limit = top_p.has_value() ? top_p.value() : 1.0;
  REQUIRE(limit > 0 && limit <= 1, ValueError) << "top_p must be above 0, and 1 at most";
#endif
#if BUG == 1
  std::mt19937_64 generator(std::chrono::steady_clock::now().time_since_epoch().count() + seed);
#elif BUG == 2
  static std::mt19937_64 generator(static_cast<uint64_t>(seed));
#else
  std::mt19937_64 generator(static_cast<uint64_t>(seed));
#endif
  int64_t n = probs.size(1);
  for (int64_t i = 0; i < probs.size(0); ++i) {
    const float *row = Data<float>(probs) + i * n;
    double total = 0;
    for (int64_t j = 0; j < n; ++j) total += row[j];
    double left = static_cast<double>(generator() >> 11) * 0x1p-53 * total * limit;
#if BUG == 3
    left = static_cast<double>(generator() >> 11) * 0x1p-53 * limit;
#endif
    int64_t index = 0;
#if BUG == 3
    while (index < n && left >= row[index]) left -= row[index++];
#elif BUG == 5
    while (left >= row[index]) left -= row[index++];
#else
    while (index < n - 1 && left >= row[index]) left -= row[index++];
#endif
    Data<int32_t>(out)[i] = static_cast<int32_t>(index);
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sample, field::Sample);
