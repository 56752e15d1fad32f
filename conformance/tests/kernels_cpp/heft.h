// SPDX-License-Identifier: Apache-2.0
// heft(x, weights) -> float: the sum of x, each element times its weight. heft.json gives the number of weights by a
// condition, and names the error of another one. An including file may raise another.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_HEFT_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_HEFT_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstdint>

#ifndef REFUSE_NUMBER
#define REFUSE_NUMBER() TVM_FFI_THROW(ValueError) << "there must be one weight for each element"
#endif

static double Heft(tvm::ffi::TensorView x, tvm::ffi::Array<double> weights)
{
  const DLDataType type = x.dtype();
  if (type.code != kDLFloat || type.bits != 32 || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << "x must be of float32";
  if (x.ndim() != 1 || x.device().device_type != kDLCPU || !x.IsContiguous())
    TVM_FFI_THROW(ValueError) << "x must be a contiguous vector on the CPU";
  if (!x.data_ptr() && x.size(0) > 0) TVM_FFI_THROW(ValueError) << "x has no data";
  if (static_cast<int64_t>(weights.size()) != x.size(0)) REFUSE_NUMBER();
  const char *bytes = static_cast<const char *>(x.data_ptr()) + x.byte_offset();
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    sum += reinterpret_cast<const float *>(bytes)[i] * weights[i];
  return sum;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(heft, Heft)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_HEFT_H_
