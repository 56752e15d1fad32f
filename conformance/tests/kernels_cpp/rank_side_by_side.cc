// SPDX-License-Identifier: Apache-2.0
// caught by kernel.long-calls-at-the-same-time
// rank(x, y): y[i, k] is how many elements of row i are less than x[i, k % 8]. All callers mark elements in one memory.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <vector>

namespace ffi = tvm::ffi;

static void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

static char *Check(ffi::TensorView tensor, uint8_t code, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(tensor.ndim() == 2 && tensor.device().device_type == kDLCPU, words);
  Require(type.code == code && type.bits == 32 && type.lanes == 1, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.numel() == 0), words);
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

static void Rank(ffi::TensorView x, ffi::TensorView y)
{
  const float *from = reinterpret_cast<float *>(Check(x, kDLFloat, "x must be float32"));
  int32_t *to = reinterpret_cast<int32_t *>(Check(y, kDLInt, "y must be int32"));
  const int64_t rows = x.size(0), columns = x.size(1);
  Require(y.size(0) == rows && y.size(1) == columns, "y must have the shape of x");
  static char marks[1 << 12];
  Require(columns <= static_cast<int64_t>(sizeof marks), "x must have at most 4096 columns");
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < columns && k < 8; ++k) {
      const float *row = from + i * columns;
      for (int64_t j = 0; j < columns; ++j) marks[j] = row[j] < row[k];
      int32_t less = 0;
      for (int64_t j = 0; j < columns; ++j) less += marks[j];
      for (int64_t j = k; j < columns; j += 8) to[i * columns + j] = less;
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rank, Rank);
