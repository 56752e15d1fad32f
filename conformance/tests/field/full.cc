// SPDX-License-Identifier: Apache-2.0
// A new tensor of a shape, dtype and device, filled with one value.
#include "field.h"

namespace field
{

ffi::Tensor Full(ffi::Shape shape, double value, DLDataType dtype, DLDevice device)
{
#if BUG == 3
  ffi::Tensor made = NewTensor(shape, dtype, kCPU);
  static_cast<void>(new ffi::Tensor(made));
#endif
#if BUG != 2
  REQUIRE(device.device_type == kDLCPU, ValueError) << "device must be a CPU";
#endif
#if BUG != 4
  REQUIRE(Same(dtype, kFloat32) || Same(dtype, kInt64), TypeError)
      << "dtype must be float32 or int64";
#endif
  int64_t count = 1;
  for (int64_t extent : shape) {
#if BUG != 1
    REQUIRE(extent >= 0, ValueError) << "extents must not be negative";
#endif
    REQUIRE(extent == 0 || count < (int64_t{1} << 32) / std::max<int64_t>(extent, 1), ValueError)
        << "the tensor is too large";
    count *= extent;
  }
#if BUG == 2
  ffi::Tensor made = NewTensor(shape, dtype, kCPU);
#elif BUG != 3
  ffi::Tensor made = NewTensor(shape, dtype, device);
#endif
#if BUG == 5
  count = shape.empty() ? 1 : shape[0];
#endif
  for (int64_t i = 0; i < count; ++i) {
    if (dtype.code == kDLFloat) {
      static_cast<float *>(made.data_ptr())[i] = static_cast<float>(value);
    } else {
      static_cast<int64_t *>(made.data_ptr())[i] = static_cast<int64_t>(value);
    }
  }
  return made;
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(full, field::Full);
