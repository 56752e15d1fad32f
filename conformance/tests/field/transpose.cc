// SPDX-License-Identifier: Apache-2.0
// A matrix of any dtype of whole bytes, transposed into a new tensor.
#include "field.h"

namespace field
{

ffi::Tensor Transpose(TensorView x)
{
#if BUG == 3
  REQUIRE(x.ndim() >= 2, ValueError) << "x must have two dimensions";
#else
  RequireRank(x, 2, "x");
#endif
  RequireCPU(x, "x");
  REQUIRE(x.dtype().bits % 8 == 0, TypeError) << "x must have elements of whole bytes";
#if BUG != 4
  RequireDense(x, "x");
#endif
  int64_t rows = x.size(0), columns = x.size(1);
#if BUG == 5
  size_t bytes = x.dtype().bits / 8u;
#else
  size_t bytes = x.dtype().bits / 8u * x.dtype().lanes;
#endif
#if BUG == 1
  ffi::Tensor turned = NewTensor(ffi::Shape({rows, columns}), x.dtype());
#else
  ffi::Tensor turned = NewTensor(ffi::Shape({columns, rows}), x.dtype());
#endif
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
#if BUG == 2
      std::memcpy(static_cast<char *>(turned.data_ptr()) + (j * columns + i) * bytes,
#else
      std::memcpy(static_cast<char *>(turned.data_ptr()) + (j * rows + i) * bytes,
#endif
                  Data<char>(x) + (i * columns + j) * bytes, bytes);
  return turned;
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(transpose, field::Transpose);
