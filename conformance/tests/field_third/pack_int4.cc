// SPDX-License-Identifier: Apache-2.0
// Two 4-bit integers to a byte, clamped, the first one low or high.
#include "kit.h"

namespace kit
{

Tensor PackInt4(TensorView x, String order)
{
  Dense(x, "x");
  TVM_FFI_CHECK(x.ndim() >= 1, ValueError) << "x: expected at least one dimension";
  Typed(Is(x, kDLInt, 8), "x");
#if BUG == 4
  const bool low = order.size() > 0 && order.data()[0] == 'l';
#else
  TVM_FFI_CHECK(order == "low_first" || order == "high_first", ValueError) << "order: " << order;
  const bool low = order == "low_first";
#endif
  const int64_t d = x.size(x.ndim() - 1), n = Count(x);
#if BUG != 3
  TVM_FFI_CHECK(d % 2 == 0, ValueError) << "x: the last extent must be even";
#endif
  std::vector<int64_t> shape(x.shape().begin(), x.shape().end());
  shape.back() = d / 2;
#if BUG == 5
  Tensor out = New(Shape(shape), x.dtype());
#else
  Tensor out = New(Shape(shape), Dtype(kDLUInt, 8));
#endif
  for (int64_t i = 0; i < n / 2; ++i) {
    int a = Data<int8_t>(x)[2 * i], b = Data<int8_t>(x)[2 * i + 1];
#if BUG != 2
    a = std::clamp(a, -8, 7);
    b = std::clamp(b, -8, 7);
#endif
    if (!low) std::swap(a, b);
#if BUG == 1
    Data<uint8_t>(out)[i] = static_cast<uint8_t>(a | b << 4);
#else
    Data<uint8_t>(out)[i] = static_cast<uint8_t>((a & 15) | (b & 15) << 4);
#endif
  }
  return out;
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pack_int4, kit::PackInt4);
