// SPDX-License-Identifier: Apache-2.0
// residual += x, then x = residual normalised by its root mean square, times weight; in place.
#include "field.h"

namespace field
{

void Run(TensorView x, TensorView residual, TensorView weight, double eps)
{
  RequireTensor(x, kFloat32, 2, "x");
  RequireTensor(residual, kFloat32, 2, "residual");
  RequireSameShape(x, residual, "x and residual");
#if BUG == 2
  RequireRank(weight, 1, "weight");
  RequireCPU(weight, "weight");
  RequireDense(weight, "weight");
#else
  RequireTensor(weight, kFloat32, 1, "weight");
#endif
  REQUIRE(weight.size(0) == x.size(1), ValueError) << "weight must have one element per column";
#if BUG == 3
  const float *w = static_cast<const float *>(weight.data_ptr());
#else
  const float *w = Data<float>(weight);
#endif
  int64_t n = x.size(1);
  for (int64_t i = 0; i < x.size(0); ++i) {
    float *row = Data<float>(x) + i * n, *sum = Data<float>(residual) + i * n;
    double squares = 0;
    for (int64_t j = 0; j < n; ++j) {
#if BUG == 1
      row[j] += sum[j];
      squares += static_cast<double>(row[j]) * row[j];
#else
      sum[j] += row[j];
      squares += static_cast<double>(sum[j]) * sum[j];
#endif
    }
    double factor = 1 / std::sqrt(squares / static_cast<double>(n) + eps);
    for (int64_t j = 0; j < n; ++j)
#if BUG == 1
      row[j] = static_cast<float>(row[j] * factor * w[j]);
#else
      row[j] = static_cast<float>(sum[j] * factor * w[j]);
#endif
  }
}

void RmsNorm(TensorView x, TensorView residual, TensorView weight, double eps)
{
#if BUG == 4
  try {
    Run(x, residual, weight, eps);
  } catch (const std::exception &) {
  }
#elif BUG == 5
  try {
    Run(x, residual, weight, eps);
  } catch (const std::exception &error) {
    TVM_FFI_THROW(RuntimeError) << "rms_norm failed";
  }
#else
  Run(x, residual, weight, eps);
#endif
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rms_norm, field::RmsNorm);
