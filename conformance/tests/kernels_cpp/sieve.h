// SPDX-License-Identifier: Apache-2.0
// sieve(x, bits): the elements of x, a matrix of float32, become 0 whose bit is 0: bit k % 32 of word k / 32 of the same
// row of bits. Nobody describes it. An including file may not look at how many words there are.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SIEVE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SIEVE_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#ifndef IS_WIDE_ENOUGH
#define IS_WIDE_ENOUGH(words, wanted) ((words) == (wanted))
#endif

namespace sieve
{

namespace ffi = tvm::ffi;

inline void *Check(const ffi::TensorView &tensor, uint8_t code, const char *words)
{
  const DLDataType type = tensor.dtype();
  const bool good = tensor.ndim() == 2 && tensor.device().device_type == kDLCPU &&
                    type.code == code && type.bits == 32 && type.lanes == 1 &&
                    tensor.IsContiguous() && (tensor.data_ptr() || tensor.numel() == 0);
  if (!good) TVM_FFI_THROW(ValueError) << words;
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

inline void Sieve(ffi::TensorView x, ffi::TensorView bits)
{
  auto *to = static_cast<float *>(Check(x, kDLFloat, "x must be a matrix of float32"));
  auto *from = static_cast<uint32_t *>(Check(bits, kDLInt, "bits must be a matrix of int32"));
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
