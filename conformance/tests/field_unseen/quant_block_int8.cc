// SPDX-License-Identifier: Apache-2.0
// Quantizes each block of a row to int8 with a scale of its own: (values, scales).
#include "vendor.h"

namespace vendor
{

Tuple<Tensor, Tensor> QuantBlockInt8(TensorView x, int64_t block)
{
  CHECK_INPUT(x);
  CHECK_DIM(2, x);
  const int64_t m = x.size(0), n = x.size(1);
#if BUG == 4
  CHECK_THAT(n % block == 0, ValueError, "block must divide the last dimension");
#else
  CHECK_THAT(block > 0 && n % block == 0, ValueError, "block must divide the last dimension");
#endif
  Tensor q = Empty(Shape({m, n}), Type(kDLInt, 8), x.device());
#if BUG == 5
  Tensor s = Empty(Shape({m, n / block, 1}), Type(kDLFloat, 32), x.device());
#else
  Tensor s = Empty(Shape({m, n / block}), Type(kDLFloat, 32), x.device());
#endif
  DispatchFloat(x.dtype(), "x", [&](auto zero) {
    using T = decltype(zero);
    for (int64_t b = 0; b < m * n / block; ++b) {
      const T *in = Ptr<T>(x) + b * block;
      int8_t *to = static_cast<int8_t *>(q.data_ptr()) + b * block;
      float top = 0;
#if BUG == 1
      for (int64_t j = 0; j < block; ++j) top = std::max(top, float(in[j]));
#else
      for (int64_t j = 0; j < block; ++j) top = std::max(top, std::fabs(float(in[j])));
#endif
#if BUG == 3
      const float scale = top / 127.0f;
#else
      const float scale = top > 0 ? top / 127.0f : 1.0f;
#endif
      static_cast<float *>(s.data_ptr())[b] = scale;
      for (int64_t j = 0; j < block; ++j) {
#if BUG == 2
        const float rounded = float(in[j]) / scale;
#else
        const float rounded = std::nearbyint(float(in[j]) / scale);
#endif
        to[j] = static_cast<int8_t>(std::max(-127.0f, std::min(127.0f, rounded)));
      }
    }
  });
  return Tuple<Tensor, Tensor>(q, s);
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(quant_block_int8, vendor::QuantBlockInt8);
