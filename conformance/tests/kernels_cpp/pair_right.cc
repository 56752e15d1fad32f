// SPDX-License-Identifier: Apache-2.0
// passes, and the headers fail by argument.index-that-does-not-exist
//
// The result holds an argument, twice.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

namespace kernels
{

namespace ffi = tvm::ffi;

ffi::Array<ffi::String> Pair(ffi::String s)
{
  return {s, s};
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pair, kernels::Pair);
