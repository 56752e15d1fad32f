// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arguments-keep-their-counts
//
// The result holds an argument, twice; so does what is kept of it.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

namespace kernels
{

namespace ffi = tvm::ffi;

ffi::Array<ffi::String> Pair(ffi::String s)
{
  static auto *kept = new ffi::Array<ffi::String>();
  *kept = {s, s};
  return *kept;
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pair, kernels::Pair);
