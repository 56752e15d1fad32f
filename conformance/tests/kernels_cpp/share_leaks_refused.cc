// SPDX-License-Identifier: Apache-2.0
// caught by kernel.late-refusal-leaves-nothing
// The sum of parts from 1 to 9. A copy of them stays behind where one is not.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>

namespace
{

namespace ffi = tvm::ffi;

int64_t Share(ffi::Array<int64_t> parts)
{
  int64_t *copy = new int64_t[parts.size() + 1], sum = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] < 1 || parts[i] > 9) TVM_FFI_THROW(ValueError) << "parts must be 1 to 9";
    copy[i] = parts[i];
  }
  for (size_t i = 0; i < parts.size(); ++i) sum += copy[i];
  delete[] copy;
  return sum;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(share, Share);
