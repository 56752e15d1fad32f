// SPDX-License-Identifier: Apache-2.0
// Softmax over the last dimension, in any rank from 1.
#include "field.h"

namespace field
{

#if BUG == 3
static std::vector<float> scratch;
#endif

void Softmax(TensorView x, TensorView y)
{
  REQUIRE(x.ndim() >= 1, ValueError) << "x must have at least one dimension";
  RequireTensor(x, kFloat32, x.ndim(), "x");
  RequireTensor(y, kFloat32, x.ndim(), "y");
#if BUG == 4
  REQUIRE(x.size(-1) == y.size(-1), ValueError) << "x and y must have the same shape";
#else
  RequireSameShape(x, y, "x and y");
#endif
#if BUG == 2
  int64_t n = Count(x), rows = n == 0 ? 0 : 1;
#else
  int64_t n = x.size(-1), rows = n == 0 ? 0 : Count(x) / n;
#endif
  for (int64_t i = 0; i < rows; ++i) {
    const float *from = Data<float>(x) + i * n;
    float *to = Data<float>(y) + i * n;
#if BUG == 1
    float top = 0;
#else
    float top = *std::max_element(from, from + n);
#endif
    float sum = 0;
#if BUG == 3
    scratch.resize(n);
    for (int64_t j = 0; j < n; ++j) sum += scratch[j] = std::exp(from[j] - top);
    for (int64_t j = 0; j < n; ++j) to[j] = scratch[j] / sum;
#else
    for (int64_t j = 0; j < n; ++j) sum += to[j] = std::exp(from[j] - top);
    for (int64_t j = 0; j < n; ++j) to[j] /= sum;
#endif
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(softmax, field::Softmax);
