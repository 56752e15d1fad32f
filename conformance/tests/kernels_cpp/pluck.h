// SPDX-License-Identifier: Apache-2.0
// pluck(x, at, y): y[i] = x[at[i]], vectors of float32 and int32; an x without elements is an error of its own where there are places.
// pluck.json describes it. An including file may raise another error for an element.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_PLUCK_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_PLUCK_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include "elements.h"

#ifndef ELEMENT_ERROR
#define ELEMENT_ERROR IndexError
#endif
#define THROW(kind) TVM_FFI_THROW(kind)

namespace pluck
{

namespace ffi = tvm::ffi;

using elements::Check;

inline void Pluck(ffi::TensorView x, ffi::TensorView at, ffi::TensorView y)
{
  const float *from = Check<float>(x, 1, kDLFloat, "x must be a vector of float32 on the CPU");
  const int32_t *places = Check<int32_t>(at, 1, kDLInt, "at must be a vector of int32 on the CPU");
  float *to = Check<float>(y, 1, kDLFloat, "y must be a vector of float32 on the CPU");
  const int64_t count = at.size(0);
  if (y.size(0) != count) TVM_FFI_THROW(ValueError) << "y must be as long as at";
  if (x.size(0) == 0 && count > 0) TVM_FFI_THROW(ValueError) << "x must have elements";
  for (int64_t i = 0; i < count; ++i)
    if (places[i] < 0 || places[i] >= x.size(0))
      THROW(ELEMENT_ERROR) << "at: unknown element " << places[i];
  for (int64_t i = 0; i < count; ++i) to[i] = from[places[i]];
}

}  // namespace pluck

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pluck, pluck::Pluck);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_PLUCK_H_
