// SPDX-License-Identifier: Apache-2.0
// caught by kernel.stream-of-another-device
#include <tvm/ffi/extra/c_env_api.h>

#include "vector.h"

namespace kernels
{

void Enqueue(ffi::TensorView x)
{
  CheckVector(x, "x", kDLCUDA);
  TVMFFIEnvGetStream(kDLCUDA, 0);
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(enqueue, kernels::Enqueue);
