// SPDX-License-Identifier: Apache-2.0
// passes
// trace(x): the sum of the diagonal of a square matrix, which is not made larger than memory.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstdint>

namespace ffi = tvm::ffi;

static double Trace(ffi::TensorView x)
{
  const DLDataType type = x.dtype();
  if (type.code != kDLFloat || type.bits != 32 || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << "x must be of float32";
  if (x.ndim() != 2 || x.size(0) != x.size(1)) TVM_FFI_THROW(ValueError) << "x must be square";
  if (x.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << "x is elsewhere";
  if (!x.IsContiguous()) TVM_FFI_THROW(ValueError) << "x must be contiguous";
  if (!x.data_ptr() && x.numel() > 0) TVM_FFI_THROW(ValueError) << "x has no data";
  const char *first = static_cast<const char *>(x.data_ptr()) + x.byte_offset();
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    sum += reinterpret_cast<const float *>(first)[i * x.size(1) + i];
  return sum;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(trace, Trace)
