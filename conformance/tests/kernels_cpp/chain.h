// SPDX-License-Identifier: Apache-2.0
// chain(texts): the texts one after the other. An including file may take less of each.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CHAIN_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CHAIN_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <string>

#ifndef LENGTH_OF
#define LENGTH_OF(text) (text).size()
#endif

namespace chaining
{

namespace ffi = tvm::ffi;

inline ffi::String Chain(ffi::Array<ffi::String> texts)
{
  std::string all;
  for (const ffi::String &text : texts) all.append(text.data(), LENGTH_OF(text));
  return ffi::String(all);
}

}  // namespace chaining

TVM_FFI_DLL_EXPORT_TYPED_FUNC(chain, chaining::Chain)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CHAIN_H_
