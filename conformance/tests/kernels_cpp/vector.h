// SPDX-License-Identifier: Apache-2.0
// Vectors of floats as kernels in C++ take them: what is checked of a TensorView before its memory
// is looked at, and y = x + 1.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_VECTOR_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_VECTOR_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

namespace kernels
{

namespace ffi = tvm::ffi;

// All but how far apart the elements lie.
inline void CheckElements(const ffi::TensorView &tensor, const char *name, DLDeviceType device)
{
  DLDataType dtype = tensor.dtype();
  if (tensor.device().device_type != device)
    TVM_FFI_THROW(ValueError) << name << " is on another device";
  if (dtype.code != kDLFloat || dtype.bits != 32 || dtype.lanes != 1)
    TVM_FFI_THROW(ValueError) << name << " is not of type float32";
  if (tensor.ndim() != 1) TVM_FFI_THROW(ValueError) << name << " is no vector";
  if (!tensor.data_ptr() && tensor.size(0) != 0)
    TVM_FFI_THROW(ValueError) << name << " has no data";
}

inline void CheckVector(const ffi::TensorView &tensor, const char *name, DLDeviceType device)
{
  CheckElements(tensor, name, device);
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " has strides";
}

inline void CheckSameLength(const ffi::TensorView &x, const ffi::TensorView &y)
{
  if (x.size(0) != y.size(0)) TVM_FFI_THROW(ValueError) << "x and y differ in length";
}

inline void CheckAddOne(const ffi::TensorView &x, const ffi::TensorView &y)
{
  CheckVector(x, "x", kDLCPU);
  CheckVector(y, "y", kDLCPU);
  CheckSameLength(x, y);
}

// data_ptr() leaves the offset out.
inline float *FloatsOf(const ffi::TensorView &tensor)
{
  return reinterpret_cast<float *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline void AddOneTo(const ffi::TensorView &x, const ffi::TensorView &y)
{
  for (int64_t i = 0; i < x.size(0); ++i) FloatsOf(y)[i] = FloatsOf(x)[i] + 1;
}

}  // namespace kernels

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_VECTOR_H_
