// SPDX-License-Identifier: Apache-2.0
// sieve(x, bits): the elements of x, a matrix of float32, become 0 whose bit is 0: bit k % 32 of word k / 32 of the same
// row of bits. Nobody describes it. An including file may not look at how many words there are.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SIEVE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SIEVE_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include "elements.h"

#ifndef IS_WIDE_ENOUGH
#define IS_WIDE_ENOUGH(words, wanted) ((words) == (wanted))
#endif

namespace sieve
{

namespace ffi = tvm::ffi;

inline void Sieve(ffi::TensorView x, ffi::TensorView bits)
{
  float *to = elements::Check<float>(x, 2, kDLFloat, "x must be a matrix of float32");
  const auto *from = elements::Check<uint32_t>(bits, 2, kDLInt, "bits must be a matrix of int32");
  const int64_t rows = x.size(0), columns = x.size(1), words = (columns + 31) / 32;
  if (bits.size(0) != rows) TVM_FFI_THROW(ValueError) << "bits must have as many rows as x";
  if (bits.size(1) < 1 || !IS_WIDE_ENOUGH(bits.size(1), words))
    TVM_FFI_THROW(ValueError) << "bits must have a bit for each column";
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < columns; ++k)
      if (!(from[i * words + k / 32] >> (k % 32) & 1)) to[i * columns + k] = 0;
}

}  // namespace sieve

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sieve, sieve::Sieve);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SIEVE_H_
