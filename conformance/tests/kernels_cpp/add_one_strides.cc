// SPDX-License-Identifier: Apache-2.0
// caught by buffer.strides.padded
#include "vector.h"

namespace kernels
{

// Elements are taken to lie one behind the other.
void AddOne(ffi::TensorView x, ffi::TensorView y)
{
  CheckElements(x, "x", kDLCPU);
  CheckElements(y, "y", kDLCPU);
  CheckSameLength(x, y);
  AddOneTo(x, y);
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, kernels::AddOne);
