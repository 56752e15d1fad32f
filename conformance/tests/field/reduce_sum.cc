// SPDX-License-Identifier: Apache-2.0
// The sums of a matrix along one axis, in a new tensor.
#include "field.h"

namespace field
{

ffi::Tensor ReduceSum(TensorView x, int64_t axis)
{
  RequireTensor(x, kFloat32, 2, "x");
#if BUG == 1
  REQUIRE(axis < 2, ValueError) << "axis must be less than 2";
#else
  if (axis < 0) axis += 2;
  REQUIRE(axis == 0 || axis == 1, ValueError) << "axis must be from -2 to 1";
#endif
  int64_t rows = x.size(0), columns = x.size(1);
#if BUG == 2
  ffi::Tensor sums = NewTensor(ffi::Shape({axis == 0 ? columns : rows, 1}), kFloat32);
#elif BUG == 3
  ffi::Tensor sums = NewTensor(ffi::Shape({axis == 0 ? columns : rows}), kInt32);
#else
  ffi::Tensor sums = NewTensor(ffi::Shape({x.shape()[1 - axis]}), kFloat32);
#endif
  float *out = static_cast<float *>(sums.data_ptr());
#if BUG != 4
  std::fill(out, out + (axis == 0 ? columns : rows), 0.0f);
#endif
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) out[axis == 0 ? j : i] += Data<float>(x)[i * columns + j];
#if BUG == 5
  static_cast<void>(new ffi::Tensor(sums));
#endif
  return sums;
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(reduce_sum, field::ReduceSum);
