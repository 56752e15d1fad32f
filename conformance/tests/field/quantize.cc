// SPDX-License-Identifier: Apache-2.0
// Quantises the rows of x to int8, symmetrically; scales[i] gives a row's values back.
#include "field.h"

namespace field
{

void Quantize(TensorView x, TensorView q, TensorView scales)
{
  RequireTensor(x, kFloat32, 2, "x");
  RequireTensor(q, kInt8, 2, "q");
  RequireSameShape(x, q, "x and q");
  RequireTensor(scales, kFloat32, 1, "scales");
#if BUG != 4
  REQUIRE(scales.size(0) == x.size(0), ValueError) << "scales must have one element per row";
#endif
  int64_t n = x.size(1);
  for (int64_t i = 0; i < x.size(0); ++i) {
    const float *row = Data<float>(x) + i * n;
    float top = 0;
#if BUG == 1
    for (int64_t j = 0; j < n; ++j) top = std::max(top, row[j]);
#else
    for (int64_t j = 0; j < n; ++j) top = std::max(top, std::fabs(row[j]));
#endif
#if BUG == 3
    float scale = top / 127;
#elif BUG == 5
    float scale = top == 0 ? 1 : top / 128;
#else
    float scale = top == 0 ? 1 : top / 127;
#endif
    Data<float>(scales)[i] = scale;
    for (int64_t j = 0; j < n; ++j) {
#if BUG == 2
      float level = row[j] / scale;
#else
      float level = std::nearbyint(row[j] / scale);
#endif
#if BUG == 1 || BUG == 5
      Data<int8_t>(q)[i * n + j] = static_cast<int8_t>(static_cast<int>(level));
#else
      Data<int8_t>(q)[i * n + j] = static_cast<int8_t>(std::min(127.0f, std::max(-127.0f, level)));
#endif
    }
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(quantize, field::Quantize);
