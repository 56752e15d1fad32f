// SPDX-License-Identifier: Apache-2.0
// caught by buffer.number-inside
// Each part of 1000, added up. A part of 0 is not looked for.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>

namespace
{

namespace ffi = tvm::ffi;

int64_t Share(ffi::Array<int64_t> parts)
{
  int64_t sum = 0;
  for (int64_t part : parts) {
    if (part > 1 << 20) TVM_FFI_THROW(ValueError) << "parts must be at most 1048576";
    sum += 1000 / part;
  }
  return sum;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(share, Share);
