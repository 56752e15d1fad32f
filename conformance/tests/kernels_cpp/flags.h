// SPDX-License-Identifier: Apache-2.0
// flags(x): bools that tell which elements of x have one of the bits 2 and 4. Nobody describes it. An
// including file may write others than 0 and 1.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_FLAGS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_FLAGS_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#ifndef FLAG
#define FLAG(bits) ((bits) != 0)
#endif

namespace flags
{

namespace ffi = tvm::ffi;

inline ffi::Tensor Flags(ffi::TensorView x)
{
  if (x.ndim() != 1) TVM_FFI_THROW(ValueError) << "x must have 1 dimension, not " << x.ndim();
  if (!(x.dtype() == DLDataType{kDLUInt, 8, 1}) || x.device().device_type != kDLCPU)
    TVM_FFI_THROW(TypeError) << "x must be uint8, on the CPU";
  if (!x.IsContiguous()) TVM_FFI_THROW(ValueError) << "x must be contiguous";
  if (x.size(0) > 0 && !x.data_ptr()) TVM_FFI_THROW(ValueError) << "x has no data";
  ffi::Tensor made = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::Shape({x.size(0)}),
                                               DLDataType{kDLBool, 8, 1}, x.device());
  const unsigned char *from = static_cast<unsigned char *>(x.data_ptr()) + x.byte_offset();
  for (int64_t i = 0; i < x.size(0); ++i)
    static_cast<unsigned char *>(made.data_ptr())[i] = FLAG(from[i] & 6);
  return made;
}

}  // namespace flags

TVM_FFI_DLL_EXPORT_TYPED_FUNC(flags, flags::Flags);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_FLAGS_H_
