// SPDX-License-Identifier: Apache-2.0
// crest(x, k, out): out is the k greatest elements of each row of x, the greatest first. Nobody describes it. An including file
// says how many there is room for.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CREST_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CREST_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <memory>

#ifndef ROOM
#define ROOM(k) (k)
#endif

namespace crest
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline float *Elements(ffi::TensorView tensor, const char *words)
{
  const DLDataType floats{kDLFloat, 32, 1};
  Require(tensor.ndim() == 2 && tensor.device().device_type == kDLCPU, words);
  Require(tensor.dtype() == floats && tensor.IsContiguous(), words);
  Require(tensor.data_ptr() || tensor.numel() == 0, words);
  return reinterpret_cast<float *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline void Crest(ffi::TensorView x, int64_t k, ffi::TensorView out)
{
  const float *from = Elements(x, "x must be a contiguous matrix of float32");
  float *to = Elements(out, "out must be a contiguous matrix of float32");
  Require(k >= 1 && k <= x.size(1), "k must be from 1 to the columns of x");
  Require(out.size(0) == x.size(0), "out must have as many rows as x");
  Require(out.size(1) == k, "out must have k columns");
  const std::unique_ptr<float[]> best(new float[size_t(ROOM(k))]);
  for (int64_t i = 0; i < x.size(0); ++i) {
    for (int64_t n = 0; n < k; ++n) best[n] = -INFINITY;
    for (int64_t j = 0; j < x.size(1); ++j) {
      float held = from[i * x.size(1) + j];
      for (int64_t n = 0; n < k; ++n)
        if (held > best[n]) std::swap(held, best[n]);
    }
    for (int64_t n = 0; n < k; ++n) to[i * k + n] = best[n];
  }
}

}  // namespace crest

TVM_FFI_DLL_EXPORT_TYPED_FUNC(crest, crest::Crest);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CREST_H_
