// SPDX-License-Identifier: Apache-2.0
// out = x * scale as float8_e4m3fn: rounded to the nearest even, saturated at 448, NaN kept.
#include "vendor.h"

namespace vendor
{

uint8_t ToFp8(float value)
{
  const uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) return sign | 0x7f;
  float mag = std::fabs(value);
#if BUG == 1
  if (mag >= 464.0f) return sign | 0x7f;
#endif
  if (mag > 448.0f) mag = 448.0f;
#if BUG == 2
  if (mag < 0.015625f) return sign;
#endif
  int exponent = mag > 0 ? std::max(-6, std::ilogb(mag)) : -6;
  const float step = std::ldexp(1.0f, exponent - 3);
#if BUG == 3
  const int units = static_cast<int>(std::floor(mag / step + 0.5f));
#else
  const int units = static_cast<int>(std::nearbyint(mag / step));
#endif
  // Units carry into the exponent by themselves: 8 of them are the smallest of the next binade.
  const int code = units < 8 && exponent == -6 ? units : ((exponent + 6) << 3) + units;
#if BUG == 4
  return static_cast<uint8_t>(code | (value < 0 ? 0x80 : 0));
#else
  return static_cast<uint8_t>(sign | code);
#endif
}

void CastFp8(TensorView x, double scale, TensorView out)
{
  CHECK_CPU(x);
  CHECK_CPU(out);
  CHECK_CONTIGUOUS(out);
#if BUG != 5
  CHECK_CONTIGUOUS(x);
#endif
  CHECK_DTYPE(out, kDLFloat8_e4m3fn, 8);
  CHECK_THAT(x.ndim() == out.ndim(), ValueError, "x and out must have the same shape");
  for (int i = 0; i < x.ndim(); ++i) CHECK_SIZE(out, i, x.size(i));
  DispatchFloat(x.dtype(), "x", [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < NumElements(x); ++i)
      Ptr<uint8_t>(out)[i] = ToFp8(float(Ptr<T>(x)[i]) * static_cast<float>(scale));
  });
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cast_fp8, vendor::CastFp8);
