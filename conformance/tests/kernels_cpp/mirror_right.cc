// SPDX-License-Identifier: Apache-2.0
// passes
// A map of what was handed over: the int as the bool that it may have been, and where the elements of x lie.
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/string.h>

#include "vector.h"

namespace kernels
{

inline ffi::Map<ffi::String, ffi::Any> Mirror(ffi::TensorView x, ffi::Any k)
{
  CheckVector(x, "x", kDLCPU);
  if (!k.as<int64_t>() && !k.as<bool>()) TVM_FFI_THROW(TypeError) << "k must be an int";
  ffi::Map<ffi::String, ffi::Any> made;
  made.Set("k", k);
  made.Set("at", static_cast<int64_t>(reinterpret_cast<intptr_t>(FloatsOf(x))));
  return made;
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(mirror, kernels::Mirror);
