// SPDX-License-Identifier: Apache-2.0
// The maximum of each window along the last dimension; leading dimensions are a batch.
#include "vendor.h"

namespace vendor
{

Tensor SlidingMax(TensorView x, int64_t window, int64_t step)
{
  CHECK_INPUT(x);
  CHECK_DTYPE(x, kDLFloat, 32);
  CHECK_THAT(x.ndim() >= 1, ValueError, "x must have a dimension");
  const int64_t n = x.size(-1);
#if BUG == 2
  CHECK_THAT(window >= 1, ValueError, "window must be between 1 and " << n);
#else
  CHECK_THAT(1 <= window && window <= n, ValueError, "window must be between 1 and " << n);
#endif
#if BUG != 3
  CHECK_THAT(step >= 1, ValueError, "step must be positive");
#endif
#if BUG == 4
  const int64_t count = (n - window) / step;
#else
  const int64_t count = (n - window) / step + 1;
#endif
  std::vector<int64_t> extents;
  int64_t batch = 1;
  for (int i = 0; i + 1 < x.ndim(); ++i) {
    extents.push_back(x.size(i));
    batch *= x.size(i);
  }
  extents.push_back(count);
  Tensor result = Empty(Shape(extents), x.dtype(), x.device());
  float *out = static_cast<float *>(result.data_ptr());
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t i = 0; i < count; ++i) {
      const float *in = Ptr<float>(x) + b * n + i * step;
#if BUG == 1
      float top = std::numeric_limits<float>::min();
#else
      float top = in[0];
#endif
#if BUG == 5
      for (int64_t j = 1; j + 1 < window; ++j) top = std::max(top, in[j]);
#else
      for (int64_t j = 0; j < window; ++j) top = std::max(top, in[j]);
#endif
      out[b * count + i] = top;
    }
  return result;
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sliding_max, vendor::SlidingMax);
