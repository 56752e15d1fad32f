// SPDX-License-Identifier: Apache-2.0
// team(x, out): twice the elements of x, worked out by the threads of OpenMP, which keeps them from the first
// call on. Where LEAK_REFUSED is not 0 a refused x leaves memory.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <memory>

namespace ffi = tvm::ffi;

static char *Check(ffi::TensorView tensor, const char *name)
{
  const DLDataType type = tensor.dtype();
  if (type.code != kDLFloat || type.bits != 32 || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << name << " must be of float32";
  if (tensor.ndim() != 1) TVM_FFI_THROW(ValueError) << name << " must be a vector";
  if (tensor.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << " is elsewhere";
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
  if (!tensor.data_ptr() && tensor.size(0) > 0) TVM_FFI_THROW(ValueError) << name << " has no data";
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

static void Double(ffi::TensorView x, ffi::TensorView out)
{
  float *to = reinterpret_cast<float *>(Check(out, "out"));
  std::unique_ptr<char[]> room(new char[64]);
  if (LEAK_REFUSED && x.dtype().code != kDLFloat) room.release();
  const float *from = reinterpret_cast<const float *>(Check(x, "x"));
  if (out.size(0) != x.size(0)) TVM_FFI_THROW(ValueError) << "out must be as long as x";
  const int64_t count = x.size(0);
#pragma omp parallel for num_threads(2)
  for (int64_t i = 0; i < count; ++i) to[i] = 2 * from[i];
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(team, Double)
