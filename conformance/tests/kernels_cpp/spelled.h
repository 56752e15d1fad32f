// SPDX-License-Identifier: Apache-2.0
// spelled(x, y, words, octets): y = x + 1, and the words with the octets behind them. Of the types
// that it takes them as, the headers convert one spelling each, but for y.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SPELLED_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SPELLED_H_

#include <tvm/ffi/string.h>

#include "vector.h"

namespace kernels
{

inline ffi::String Spelled(ffi::Tensor x, DLTensor *to, const char *words, TVMFFIByteArray *octets)
{
  if (!x.defined() || !to) TVM_FFI_THROW(TypeError) << "x and y have to be tensors";
  ffi::TensorView y(to);
  CheckAddOne(x, y);
  AddOneTo(x, y);
  return ffi::String(std::string(words) + std::string(octets->data, octets->size));
}

}  // namespace kernels

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SPELLED_H_
