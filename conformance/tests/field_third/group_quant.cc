// SPDX-License-Identifier: Apache-2.0
// Quantizes groups of each row to int8 or float8_e4m3fn, with a scale for each group.
#include "kit.h"

namespace kit
{

static uint8_t ToE4M3(float x)
{
  const uint8_t sign = std::signbit(x) ? 0x80 : 0;
  const float a = std::fabs(x);
  if (std::isnan(x)) return 0x7f | sign;
  if (a >= 448.0f) return 0x7e | sign;
  if (a < 0.015625f) return sign | static_cast<uint8_t>(std::nearbyint(a * 512.0f));
  int e;
  const float m = std::frexp(a, &e);  // a = m * 2^e, 0.5 <= m < 1
  int bits = static_cast<int>(std::nearbyint(m * 16.0f));
  if (bits == 16) {
    bits = 8;
    ++e;
  }
  return sign | static_cast<uint8_t>((e + 6) << 3 | (bits & 7));
}

void GroupQuant(TensorView x, TensorView q, TensorView scales, int64_t group_size, double eps)
{
  Dense(x, "x");
  Dense(q, "q");
  Dense(scales, "scales");
  TVM_FFI_CHECK(x.ndim() >= 1, ValueError) << "x: expected at least one dimension";
  Rank(q, x.ndim(), "q");
  Rank(scales, x.ndim(), "scales");
  const bool fp8 = Is(q, kDLFloat8_e4m3fn, 8);
  Typed(fp8 || Is(q, kDLInt, 8), "q");
  Typed(IsF32(scales), "scales");
  for (int i = 0; i < x.ndim(); ++i) Extent(q, i, x.size(i), "q");
#if BUG != 5
  for (int i = 0; i + 1 < x.ndim(); ++i) Extent(scales, i, x.size(i), "scales");
#endif
  const int64_t d = x.size(x.ndim() - 1);
#if BUG == 3
  TVM_FFI_CHECK(group_size != 0, ValueError) << "group_size must not be 0";
#else
  TVM_FFI_CHECK(group_size >= 1, ValueError) << "group_size must be positive";
#endif
#if BUG != 1
  TVM_FFI_CHECK(d % group_size == 0, ValueError)
      << "the last extent of x must be a multiple of group_size";
#endif
  TVM_FFI_CHECK(scales.size(x.ndim() - 1) == d / group_size, ValueError)
      << "scales: expected " << d / group_size << " groups";
  TVM_FFI_CHECK(eps > 0, ValueError) << "eps must be positive";
  const int64_t groups = d / group_size, rows = d == 0 ? 0 : Count(x) / d;
#if BUG == 2
  const float limit = 127.0f;
#else
  const float limit = fp8 ? 448.0f : 127.0f;
#endif
  ForFloats(x, "x", [&](auto zero) {
    using T = decltype(zero);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t g = 0; g < groups; ++g) {
        const int64_t at = r * d + g * group_size;
        const T *in = Data<T>(x) + at;
#if BUG == 4
        float top = 0;
#else
        float top = static_cast<float>(eps);
#endif
        for (int64_t j = 0; j < group_size; ++j)
          top = std::max(top, std::fabs(static_cast<float>(in[j])));
        const float scale = top / limit;
        Data<float>(scales)[r * groups + g] = scale;
        for (int64_t j = 0; j < group_size; ++j) {
          const float v = std::min(limit, std::max(-limit, static_cast<float>(in[j]) / scale));
          Data<uint8_t>(q)[at + j] =
              fp8 ? ToE4M3(v) : static_cast<uint8_t>(static_cast<int8_t>(std::nearbyint(v)));
        }
      }
    }
  });
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(group_quant, kit::GroupQuant);
