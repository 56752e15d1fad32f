// SPDX-License-Identifier: Apache-2.0
// caught by buffer.number-inside
// How often each part is in 1000. Of the parts only the first is checked.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>

namespace
{

namespace ffi = tvm::ffi;

int64_t Share(ffi::Array<int64_t> parts)
{
  if (parts.size() != 2) TVM_FFI_THROW(ValueError) << "parts must have 2 elements";
  if (parts[0] < 1) TVM_FFI_THROW(ValueError) << "parts must be 1 or more";
  return 1000 / parts[0] + 1000 / parts[1];
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(share, Share);
