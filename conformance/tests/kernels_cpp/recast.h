// SPDX-License-Identifier: Apache-2.0
// recast(count, dtype) -> tensor: ones of float32 or float64. recast.json describes it. An including file may look at
// less of the data type.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_RECAST_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_RECAST_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#ifndef LANES
#define LANES(type) ((type).lanes == 1)
#endif

namespace ffi = tvm::ffi;

static ffi::Tensor Recast(int64_t count, DLDataType type)
{
  if (type.code != kDLFloat || (type.bits != 32 && type.bits != 64) || !LANES(type))
    TVM_FFI_THROW(TypeError) << "dtype must be float32 or float64";
  if (count < 0 || count > 1000) TVM_FFI_THROW(ValueError) << "count must be from 0 to 1000";
  int64_t shape[] = {count};
  ffi::Tensor made = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape, 1), type,
                                               DLDevice{kDLCPU, 0});
  for (int64_t i = 0; i < count; ++i)
    if (type.bits == 32)
      static_cast<float *>(made.data_ptr())[i] = 1;
    else
      static_cast<double *>(made.data_ptr())[i] = 1;
  return made;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(recast, Recast)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_RECAST_H_
