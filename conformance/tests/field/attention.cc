// SPDX-License-Identifier: Apache-2.0
// softmax(q k' * scale + mask) v for one head; the mask and the scale are optional.
#include "field.h"

namespace field
{

#if BUG == 3
static std::vector<float> scores;
#endif

void Attention(TensorView q, TensorView k, TensorView v, ffi::Optional<ffi::Tensor> mask,
               ffi::Optional<double> scale, bool causal, TensorView out)
{
  RequireTensor(q, kFloat32, 2, "q");
  RequireTensor(k, kFloat32, 2, "k");
  RequireTensor(v, kFloat32, 2, "v");
  RequireTensor(out, kFloat32, 2, "out");
  int64_t m = q.size(0), n = k.size(0), d = q.size(1);
  REQUIRE(k.size(1) == d, ValueError) << "rows of q and k must be as long";
  RequireSameShape(k, v, "k and v");
  RequireSameShape(q, out, "q and out");
  REQUIRE(!causal || n >= m, ValueError) << "k must have at least as many rows as q";
  const float *bias = nullptr;
#if BUG == 1
  ffi::Tensor tensor = mask.value();
  bias = Data<float>(tensor);
#else
  if (mask.has_value()) {
    ffi::Tensor tensor = *mask;
    TensorView view = tensor;
    RequireTensor(view, kFloat32, 2, "mask");
#if BUG != 2
    REQUIRE(view.size(0) == m && view.size(1) == n, ValueError)
        << "mask must have a row per row of q, and a column per row of k";
#endif
    bias = Data<float>(view);
  }
#endif
#if BUG == 5
  double factor = scale.has_value() ? scale.value() : 1 / static_cast<double>(d);
#else
  double factor = scale.has_value() ? scale.value() : 1 / std::sqrt(static_cast<double>(d));
#endif
#if BUG != 3
  std::vector<float> scores;
#endif
  scores.resize(static_cast<size_t>(n));
  for (int64_t i = 0; i < m; ++i) {
#if BUG == 4
    int64_t seen = causal ? i + 1 : n;
#else
    int64_t seen = causal ? n - m + i + 1 : n;
#endif
    float top = -std::numeric_limits<float>::infinity(), sum = 0;
    for (int64_t j = 0; j < seen; ++j) {
      double dot = 0;
      for (int64_t l = 0; l < d; ++l) dot += Data<float>(q)[i * d + l] * Data<float>(k)[j * d + l];
      scores[j] = static_cast<float>(dot * factor) + (bias ? bias[i * n + j] : 0);
      top = std::max(top, scores[j]);
    }
    for (int64_t j = 0; j < seen; ++j) sum += scores[j] = std::exp(scores[j] - top);
    for (int64_t l = 0; l < d; ++l) {
      float value = 0;
      for (int64_t j = 0; j < seen; ++j) value += scores[j] * Data<float>(v)[j * d + l];
      Data<float>(out)[i * d + l] = seen == 0 ? 0 : value / sum;
    }
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(attention, field::Attention);
