// SPDX-License-Identifier: Apache-2.0
// x as a tensor of another dtype, which is given by name or as a dtype.
#include "field.h"

namespace field
{

template <typename From, typename To>
void Run(TensorView x, ffi::Tensor y)
{
  for (int64_t i = 0; i < Count(x); ++i) {
    double value = static_cast<double>(Data<From>(x)[i]);
#if BUG != 3
    if (std::numeric_limits<To>::is_integer) {
      double low = static_cast<double>(std::numeric_limits<To>::min());
      double high = static_cast<double>(std::numeric_limits<To>::max());
      value = value == value ? std::min(high, std::max(low, value)) : 0;
    }
#endif
#if BUG == 4
    if (std::numeric_limits<To>::is_integer) value = std::nearbyint(value);
#endif
    static_cast<To *>(y.data_ptr())[i] = static_cast<To>(value);
  }
}

ffi::Tensor Cast(TensorView x, DLDataType dtype)
{
  RequireTensor(x, x.dtype(), x.ndim(), "x");
#if BUG == 2
  REQUIRE(x.dtype().code == kDLFloat, TypeError) << "x must be float32 or int32";
#else
  REQUIRE(Same(x.dtype(), kFloat32) || Same(x.dtype(), kInt32), TypeError)
      << "x must be float32 or int32";
#endif
#if BUG == 5
  REQUIRE(dtype.bits == 32 || dtype.bits == 8, TypeError) << "dtype is not supported";
#elif BUG != 1
  REQUIRE(Same(dtype, kFloat32) || Same(dtype, kInt32) || Same(dtype, kUInt8), TypeError)
      << "dtype must be float32, int32 or uint8";
#endif
  std::vector<int64_t> shape(x.shape().begin(), x.shape().end());
  ffi::Tensor y = NewTensor(ffi::Shape(shape.begin(), shape.end()), dtype);
  bool floats = Same(x.dtype(), kFloat32);
  if (Same(dtype, kFloat32)) floats ? Run<float, float>(x, y) : Run<int32_t, float>(x, y);
  if (Same(dtype, kInt32)) floats ? Run<float, int32_t>(x, y) : Run<int32_t, int32_t>(x, y);
  if (Same(dtype, kUInt8)) floats ? Run<float, uint8_t>(x, y) : Run<int32_t, uint8_t>(x, y);
  return y;
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cast, field::Cast);
