// SPDX-License-Identifier: Apache-2.0
// negate(x): x with the other sign, in place; made twice it is what it was. Rows that LEAVES_OUT(x) stay as they are.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstdint>

namespace ffi = tvm::ffi;

static void Negate(ffi::TensorView x)
{
  const DLDataType type = x.dtype();
  if (type.code != kDLFloat || type.bits != 32 || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << "x must be of float32";
  if (x.ndim() != 2) TVM_FFI_THROW(ValueError) << "x must be a matrix";
  if (x.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << "x is elsewhere";
  if (!x.data_ptr() && x.numel() > 0) TVM_FFI_THROW(ValueError) << "x has no data";
  if (LEAVES_OUT(x)) return;
  char *first = static_cast<char *>(x.data_ptr()) + x.byte_offset();
  const bool compact = x.IsContiguous();
  const int64_t row = compact ? x.size(1) : x.stride(0), column = compact ? 1 : x.stride(1);
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t k = 0; k < x.size(1); ++k) {
      float *at = reinterpret_cast<float *>(first) + i * row + k * column;
      *at = -*at;
    }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(negate, Negate)
