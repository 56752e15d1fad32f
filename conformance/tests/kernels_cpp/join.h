// SPDX-License-Identifier: Apache-2.0
// join(parts): the rows of all parts, one after the other, in a new tensor. Nobody describes it. An
// including file may leave a check out. With ROW_OF rows may be apart: how many elements from one to the next.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_JOIN_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_JOIN_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstring>

#ifndef HAS_COLUMNS_OF
#define HAS_COLUMNS_OF(part, first) ((part).size(1) == (first).size(1))
#endif
#ifndef FIRST_OF
#define FIRST_OF(part) (static_cast<const char *>((part).data_ptr()) + (part).byte_offset())
#endif
#ifndef IS_FLOAT
#define IS_FLOAT(part, at) ((part).dtype().code == kDLFloat && (part).dtype().bits == 32)
#endif

namespace join
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline ffi::Tensor Join(ffi::Array<ffi::Tensor> parts)
{
  Require(parts.size() > 0, "parts must hold a tensor");
  ffi::Tensor first = parts[0];
  int64_t rows = 0, at = 0;
  for (ffi::Tensor part : parts) {
    Require(part.defined(), "a part must be a tensor");
    Require(part.ndim() == 2, "a part must have 2 dimensions");
    Require(IS_FLOAT(part, at) && part.dtype().lanes == 1, "a part must be float32");
    Require(part.device().device_type == kDLCPU, "a part must be on the CPU");
#ifdef ROW_OF
    Require(part.stride(1) == 1 || part.size(1) <= 1, "the elements of a row must be side by side");
#else
    Require(part.IsContiguous(), "a part must be compact");
#endif
    Require(HAS_COLUMNS_OF(part, first), "parts must have as many columns");
    rows += part.size(0);
    ++at;
  }
  ffi::Tensor joined =
      ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::Shape({rows, first.size(1)}),
                                DLDataType{kDLFloat, 32, 1}, first.device());
  char *to = static_cast<char *>(joined.data_ptr());
  for (ffi::Tensor part : parts) {
#ifdef ROW_OF
    const size_t row = static_cast<size_t>(part.size(1)) * sizeof(float);
    for (int64_t i = 0; i < part.size(0); ++i, to += row)
      std::memcpy(to, FIRST_OF(part) + i * ROW_OF(part, first) * sizeof(float), row);
#else
    size_t bytes = static_cast<size_t>(part.size(0) * part.size(1)) * sizeof(float);
    std::memcpy(to, FIRST_OF(part), bytes);
    to += bytes;
#endif
  }
  return joined;
}

}  // namespace join

TVM_FFI_DLL_EXPORT_TYPED_FUNC(join, join::Join);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_JOIN_H_
