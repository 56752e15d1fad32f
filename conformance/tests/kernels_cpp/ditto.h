// SPDX-License-Identifier: Apache-2.0
// ditto(x, out): the elements of x, of one of four data types, into out, which has the same one by SAME_TYPE(x, out).
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <cstring>

namespace ffi = tvm::ffi;

static char *Check(ffi::TensorView tensor, const char *name)
{
  const DLDataType type = tensor.dtype();
  const bool whole = type.code == kDLInt || type.code == kDLUInt;
  const bool real = type.code == kDLFloat || type.code == kDLBfloat;
  if (type.lanes != 1 || !((whole && type.bits == 8) || (real && type.bits == 16)))
    TVM_FFI_THROW(TypeError) << name << " is of no known data type";
  if (tensor.ndim() != 1) TVM_FFI_THROW(ValueError) << name << " must be a vector";
  if (tensor.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << " is elsewhere";
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
  if (!tensor.data_ptr() && tensor.size(0) > 0) TVM_FFI_THROW(ValueError) << name << " has no data";
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

static void Ditto(ffi::TensorView x, ffi::TensorView out)
{
  const char *from = Check(x, "x");
  char *to = Check(out, "out");
  if (!SAME_TYPE(x.dtype(), out.dtype()))
    TVM_FFI_THROW(TypeError) << "out must have the data type of x";
  if (out.size(0) != x.size(0)) TVM_FFI_THROW(ValueError) << "out must be as long as x";
  if (x.size(0) > 0) std::memcpy(to, from, x.size(0) * (x.dtype().bits / 8));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(ditto, Ditto)
