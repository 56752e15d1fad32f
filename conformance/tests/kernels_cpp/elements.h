// SPDX-License-Identifier: Apache-2.0
// The elements of tensors as kernels in C++ take them: compact, of 32 bits, on the CPU.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_ELEMENTS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_ELEMENTS_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>

namespace elements
{

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

// The first element; a ValueError with these words if the tensor is another one.
template <typename T>
T *Check(const tvm::ffi::TensorView &tensor, int rank, uint8_t code, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(tensor.ndim() == rank && tensor.device().device_type == kDLCPU, words);
  Require(type.code == code && type.bits == 32 && type.lanes == 1, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.numel() == 0), words);
  return reinterpret_cast<T *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

}  // namespace elements

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_ELEMENTS_H_
