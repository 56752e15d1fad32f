// SPDX-License-Identifier: Apache-2.0
// spans(values, offsets, out, how): row s of out is the sum, or with "mean" the mean, of rows offsets[s] to offsets[s + 1] of
// values. Nobody describes it. An including file may leave columns out.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SPANS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SPANS_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <algorithm>

#ifndef BLOCKS
#define BLOCKS(columns, block) (((columns) + (block)-1) / (block))
#endif

namespace spans
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

template <typename T>
T *Elements(ffi::TensorView tensor, int ndim, DLDataType dtype, const char *words)
{
  Require(tensor.ndim() == ndim && tensor.device().device_type == kDLCPU, words);
  Require(tensor.dtype() == dtype && tensor.IsContiguous(), words);
  Require(tensor.data_ptr() || tensor.numel() == 0, words);
  return reinterpret_cast<T *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline void Spans(ffi::TensorView values, ffi::TensorView offsets, ffi::TensorView out,
                  ffi::String how)
{
  constexpr DLDataType floats{kDLFloat, 32, 1}, integers{kDLInt, 64, 1};
  enum { BLOCK = 8 };
  const float *from =
      Elements<const float>(values, 2, floats, "values must be a contiguous matrix of float32");
  const int64_t *at =
      Elements<const int64_t>(offsets, 1, integers, "offsets must be a contiguous vector of int64");
  float *to = Elements<float>(out, 2, floats, "out must be a contiguous matrix of float32");
  Require(offsets.size(0) == out.size(0) + 1, "offsets must be one more than the rows of out");
  Require(out.size(1) == values.size(1), "out must have as many columns as values");
  Require(how == "sum" || how == "mean", "how must be \"sum\" or \"mean\"");
  Require(at[0] == 0 && at[out.size(0)] == values.size(0),
          "offsets must go from 0 to the rows of values");
  for (int64_t s = 0; s < out.size(0); ++s) Require(at[s] <= at[s + 1], "offsets must not fall");
  const int64_t columns = out.size(1);
  for (int64_t s = 0; s < out.size(0); ++s)
    for (int64_t b = 0; b < BLOCKS(columns, BLOCK); ++b)
      for (int64_t j = b * BLOCK; j < std::min<int64_t>(columns, (b + 1) * BLOCK); ++j) {
        double sum = 0;
        for (int64_t i = at[s]; i < at[s + 1]; ++i) sum += from[i * columns + j];
        if (how == "mean") sum /= double(std::max<int64_t>(1, at[s + 1] - at[s]));
        to[s * columns + j] = float(sum);
      }
}

}  // namespace spans

TVM_FFI_DLL_EXPORT_TYPED_FUNC(spans, spans::Spans);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SPANS_H_
