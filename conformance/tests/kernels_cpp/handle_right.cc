// SPDX-License-Identifier: Apache-2.0
// passes, and the headers fail by argument.index-that-does-not-exist
#include "vector.h"

namespace kernels
{

void *Handle(void *p, ffi::TensorView x)
{
  CheckVector(x, "x", kDLCPU);
  return p;
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(handle, kernels::Handle);
