// SPDX-License-Identifier: Apache-2.0
// tilt(x, slopes, y): y = x * slopes, which are one for each column of x. Matrices of float32. Nobody describes it.
// An including file may look at fewer columns.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_TILT_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_TILT_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cstdint>

#ifndef COLUMNS
#define COLUMNS(columns) (columns)
#endif

namespace tilt
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline float *Check(ffi::TensorView tensor, int rank, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(tensor.ndim() == rank && tensor.device().device_type == kDLCPU, words);
  Require(type.code == kDLFloat && type.bits == 32 && type.lanes == 1, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.numel() == 0), words);
  char *bytes = static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
  return reinterpret_cast<float *>(bytes);
}

inline void Tilt(ffi::TensorView x, ffi::TensorView slopes, ffi::TensorView y)
{
  const float *from = Check(x, 2, "x must be a matrix of float32 on the CPU");
  const float *factors = Check(slopes, 1, "slopes must be a vector of float32 on the CPU");
  float *to = Check(y, 2, "y must be a matrix of float32 on the CPU");
  const int64_t rows = x.size(0), columns = x.size(1);
  Require(slopes.size(0) == columns, "slopes must have an element for each column of x");
  Require(y.size(0) == rows && y.size(1) == columns, "y must have the shape of x");
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < COLUMNS(columns); ++k)
      to[i * columns + k] = from[i * columns + k] * factors[k];
}

}  // namespace tilt

TVM_FFI_DLL_EXPORT_TYPED_FUNC(tilt, tilt::Tilt);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_TILT_H_
