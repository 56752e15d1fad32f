// SPDX-License-Identifier: Apache-2.0
// bands(x, y): y = x + 1, of three dimensions, with any strides of x. An including file may take another stride.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BANDS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BANDS_H_

#include "vector.h"

#ifndef STRIDE_OF_BAND
#define STRIDE_OF_BAND(x) (x).stride(1)
#endif

namespace kernels
{

inline void CheckBands(const ffi::TensorView &tensor, const char *name)
{
  if (tensor.ndim() != 3) TVM_FFI_THROW(ValueError) << name << " must have 3 dimensions";
  if (tensor.dtype().code != kDLFloat || tensor.dtype().bits != 32 || tensor.dtype().lanes != 1)
    TVM_FFI_THROW(TypeError) << name << " must be float32";
  if (tensor.device().device_type != kDLCPU)
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
  if (!tensor.data_ptr() && tensor.numel() != 0)
    TVM_FFI_THROW(ValueError) << name << " has no data";
}

inline void Bands(ffi::TensorView x, ffi::TensorView y)
{
  CheckBands(x, "x");
  CheckBands(y, "y");
  if (!x.strides().data()) TVM_FFI_THROW(ValueError) << "x has no strides";
  if (!y.IsContiguous()) TVM_FFI_THROW(ValueError) << "y must be contiguous";
  for (int k = 0; k < 3; ++k)
    if (x.size(k) != y.size(k)) TVM_FFI_THROW(ValueError) << "y must have the shape of x";
  float *to = FloatsOf(y);
  const float *from = FloatsOf(x);
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t k = 0; k < x.size(1); ++k)
      for (int64_t j = 0; j < x.size(2); ++j)
        *to++ = from[i * x.stride(0) + k * STRIDE_OF_BAND(x) + j * x.stride(2)] + 1;
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bands, kernels::Bands);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BANDS_H_
