// SPDX-License-Identifier: Apache-2.0
// Floats of 8 bits with a power of two for each block of 32, as float32 or bfloat16.
#include "kit.h"

namespace kit
{

static float FromFloat8(uint8_t bits, bool e5m2)
{
  const float sign = bits & 0x80 ? -1.0f : 1.0f;
  const int mantissa = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7;
  const int e = (bits & 0x7f) >> mantissa, m = bits & ((1 << mantissa) - 1);
#if BUG == 1
  if (e5m2 && e == 31) return sign * std::numeric_limits<float>::infinity();
#else
  if (e5m2 && e == 31)
    return m ? std::numeric_limits<float>::quiet_NaN()
             : sign * std::numeric_limits<float>::infinity();
#endif
  if (!e5m2 && (bits & 0x7f) == 0x7f) return std::numeric_limits<float>::quiet_NaN();
#if BUG == 2
  if (e == 0) return sign * 0.0f;
#endif
  if (e == 0) return sign * std::ldexp(static_cast<float>(m), 1 - bias - mantissa);
  return sign * std::ldexp(static_cast<float>(m | 1 << mantissa), e - bias - mantissa);
}

void DequantMx(TensorView x, TensorView scales, TensorView out)
{
  Dense(x, 2, "x");
  Dense(scales, 2, "scales");
  Dense(out, 2, "out");
  const bool e5m2 = Is(x, kDLFloat8_e5m2, 8);
  Typed(e5m2 || Is(x, kDLFloat8_e4m3fn, 8), "x");
#if BUG == 5
  Typed(scales.dtype().bits == 8, "scales");
#else
  Typed(Is(scales, kDLFloat8_e8m0fnu, 8), "scales");
#endif
  const bool wide = IsF32(out);
  Typed(wide || Is(out, kDLBfloat, 16), "out");
  const int64_t m = x.size(0), k = x.size(1), blocks = scales.size(1);
  Extent(scales, 0, m, "scales");
  Extent(out, 0, m, "out");
  Extent(out, 1, k, "out");
#if BUG == 3
  TVM_FFI_CHECK(blocks >= k / 32, ValueError) << "scales: expected one for each 32 elements";
#else
  TVM_FFI_CHECK(blocks == (k + 31) / 32, ValueError) << "scales: expected one for each 32 elements";
#endif
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < k; ++j) {
      const uint8_t scale = Data<uint8_t>(scales)[i * blocks + j / 32];
      float factor = std::ldexp(1.0f, scale - 127);
#if BUG != 4
      if (scale == 255) factor = std::numeric_limits<float>::quiet_NaN();
#endif
      const float value = FromFloat8(Data<uint8_t>(x)[i * k + j], e5m2) * factor;
      if (wide)
        Data<float>(out)[i * k + j] = value;
      else
        Data<bfloat>(out)[i * k + j] = bfloat(value);
    }
  }
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(dequant_mx, kit::DequantMx);
