// SPDX-License-Identifier: Apache-2.0
// Layer normalisation of rows, with an optional weight and bias.
#include "field.h"

namespace field
{

void LayerNorm(TensorView x, ffi::Optional<ffi::Tensor> weight, ffi::Optional<ffi::Tensor> bias,
               double eps, TensorView y)
{
  RequireTensor(x, kFloat32, 2, "x");
  RequireTensor(y, kFloat32, 2, "y");
  RequireSameShape(x, y, "x and y");
  int64_t n = x.size(1);
  REQUIRE(eps >= 0, ValueError) << "eps must not be negative";
  const float *scale = nullptr, *shift = nullptr;
#if BUG == 1
  ffi::Tensor required = weight.value();
  RequireTensor(required, kFloat32, 1, "weight");
#endif
  if (weight.has_value()) {
    ffi::Tensor w = *weight;
    RequireTensor(w, kFloat32, 1, "weight");
#if BUG != 4
    REQUIRE(w.size(0) == n, ValueError) << "weight must have one element per column";
#endif
    scale = Data<float>(w);
  }
  if (bias.has_value()) {
    ffi::Tensor b = *bias;
    RequireTensor(b, kFloat32, 1, "bias");
    REQUIRE(b.size(0) == n, ValueError) << "bias must have one element per column";
    shift = Data<float>(b);
#if BUG == 5
    if (scale == nullptr) shift = nullptr;
#endif
  }
  for (int64_t i = 0; i < x.size(0); ++i) {
    const float *row = Data<float>(x) + i * n;
    double mean = 0, variance = 0;
    for (int64_t j = 0; j < n; ++j) mean += row[j];
    mean /= static_cast<double>(n);
    for (int64_t j = 0; j < n; ++j) variance += (row[j] - mean) * (row[j] - mean);
#if BUG == 3
    variance /= static_cast<double>(n - 1);
#else
    variance /= static_cast<double>(n);
#endif
#if BUG == 2
    double factor = 1 / (std::sqrt(variance) + eps);
#else
    double factor = 1 / std::sqrt(variance + eps);
#endif
    for (int64_t j = 0; j < n; ++j)
      Data<float>(y)[i * n + j] = static_cast<float>(
          (row[j] - mean) * factor * (scale ? scale[j] : 1) + (shift ? shift[j] : 0));
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(layer_norm, field::LayerNorm);
