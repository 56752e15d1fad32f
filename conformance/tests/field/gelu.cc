// SPDX-License-Identifier: Apache-2.0
// y = x * sigmoid(1.702 x), in any rank; float32 and bfloat16.
#include "field.h"

namespace field
{

void Gelu(TensorView x, TensorView y)
{
  RequireCPU(x, "x");
#if BUG != 3
  RequireCPU(y, "y");
#endif
  RequireSameShape(x, y, "x and y");
  REQUIRE(Same(x.dtype(), kFloat32) || Same(x.dtype(), kBFloat16), TypeError)
      << "x must be float32 or bfloat16";
#if BUG != 2
  RequireDtype(y, x.dtype(), "y");
#endif
  RequireDense(x, "x");
  RequireDense(y, "y");
#if BUG == 1
  int64_t count = x.ndim() == 0 ? 1 : x.size(0);
#elif BUG == 4
  int64_t count = (Count(x) + 3) / 4 * 4;
#else
  int64_t count = Count(x);
#endif
  for (int64_t i = 0; i < count; ++i) {
    if (Same(x.dtype(), kFloat32)) {
      float value = Data<float>(x)[i];
      Data<float>(y)[i] = value / (1 + std::exp(-1.702f * value));
    } else {
      float value = FromBFloat16(Data<uint16_t>(x)[i]);
#if BUG == 5
      Data<uint16_t>(y)[i] = static_cast<uint16_t>(value / (1 + std::exp(-1.702f * value)));
#else
      Data<uint16_t>(y)[i] = ToBFloat16(value / (1 + std::exp(-1.702f * value)));
#endif
    }
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(gelu, field::Gelu);
