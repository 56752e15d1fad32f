// SPDX-License-Identifier: Apache-2.0
// residual += x; x = residual normalized by its root mean square, times weight. Rows of x may be padded.
#include "vendor.h"

namespace vendor
{

void FusedAddRmsNorm(TensorView x, TensorView residual, TensorView weight, double eps)
{
  CHECK_CPU(x);
  CHECK_INPUT(residual);
  CHECK_INPUT(weight);
  CHECK_DIM(2, x);
  CHECK_DIM(2, residual);
  CHECK_DIM(1, weight);
  CHECK_THAT(x.size(1) <= 1 || x.stride(1) == 1, ValueError, "rows of x must be contiguous");
  CHECK_THAT(SameType(residual.dtype(), x.dtype()), TypeError, "residual must have the dtype of x");
  CHECK_THAT(SameType(weight.dtype(), x.dtype()), TypeError, "weight must have the dtype of x");
  const int64_t rows = x.size(0), d = x.size(1);
  CHECK_SIZE(residual, 0, rows);
#if BUG != 5
  CHECK_SIZE(residual, 1, d);
#endif
  CHECK_SIZE(weight, 0, d);
  DispatchFloat(x.dtype(), "x", [&](auto zero) {
    using T = decltype(zero);
    std::vector<float> row(d);
#if BUG == 3
    float squares = 0;
#endif
    for (int64_t i = 0; i < rows; ++i) {
#if BUG == 4
      T *in = Ptr<T>(x) + i * d, *add = Ptr<T>(residual) + i * d;
#else
      T *in = Ptr<T>(x) + i * x.stride(0), *add = Ptr<T>(residual) + i * d;
#endif
#if BUG != 3
      float squares = 0;
#endif
      for (int64_t j = 0; j < d; ++j) {
        row[j] = float(in[j]) + float(add[j]);
        squares += row[j] * row[j];
#if BUG != 1
        add[j] = T(row[j]);
#endif
      }
#if BUG == 2
      const float factor = 1 / (std::sqrt(squares / float(d)) + float(eps));
#else
      const float factor = 1 / std::sqrt(squares / float(d) + float(eps));
#endif
      for (int64_t j = 0; j < d; ++j) in[j] = T(row[j] * factor * float(Ptr<T>(weight)[j]));
    }
  });
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(fused_add_rms_norm, vendor::FusedAddRmsNorm);
