// SPDX-License-Identifier: Apache-2.0
// A matrix of sparse blocks times a dense one. Rows without blocks give zeros.
#include "kit.h"

namespace kit
{

Tensor BsrMatmul(TensorView blocks, TensorView columns, TensorView indptr, TensorView x)
{
  Dense(blocks, 3, "blocks");
  Dense(columns, 1, "columns");
  Dense(indptr, 1, "indptr");
  Dense(x, 2, "x");
  Typed(IsF32(blocks), "blocks");
  Typed(IsI32(columns), "columns");
  Typed(IsI32(indptr), "indptr");
#if BUG == 5
  Typed(x.dtype().bits == 32, "x");
#else
  Typed(IsF32(x), "x");
#endif
  const int64_t size = blocks.size(1), n = x.size(1);
  Extent(blocks, 2, size, "blocks");
  Extent(columns, 0, blocks.size(0), "columns");
  TVM_FFI_CHECK(size > 0 && x.size(0) % size == 0, ValueError)
      << "x: rows must be whole blocks of " << size;
  TVM_FFI_CHECK(indptr.size(0) >= 1, ValueError) << "indptr: expected at least one element";
  const int64_t rows = indptr.size(0) - 1, wide = x.size(0) / size;
  const int32_t *at = Data<int32_t>(indptr);
#if BUG == 2
  TVM_FFI_CHECK(at[0] == 0, ValueError) << "indptr must begin with 0";
#else
  TVM_FFI_CHECK(at[0] == 0 && at[rows] == blocks.size(0), ValueError)
      << "indptr must begin with 0 and end with the number of blocks";
#endif
  for (int64_t r = 0; r < rows; ++r)
    TVM_FFI_CHECK(at[r] <= at[r + 1], ValueError) << "indptr must not fall";
#if BUG != 3
  for (int64_t i = 0; i < blocks.size(0); ++i)
    TVM_FFI_CHECK(0 <= Data<int32_t>(columns)[i] && Data<int32_t>(columns)[i] < wide, ValueError)
        << "columns: " << Data<int32_t>(columns)[i] << " is not a column of blocks";
#endif
  Tensor out = New({rows * size, n}, x.dtype());
  float *y = Data<float>(out);
#if BUG != 1
  std::fill(y, y + rows * size * n, 0.0f);
#endif
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t b = at[r]; b < at[r + 1]; ++b) {
#if BUG == 1
      if (b == at[r]) std::fill(y + r * size * n, y + (r + 1) * size * n, 0.0f);
#endif
      const float *m = Data<float>(blocks) + b * size * size;
      const float *in = Data<float>(x) + Data<int32_t>(columns)[b] * size * n;
      for (int64_t i = 0; i < size; ++i)
        for (int64_t j = 0; j < size; ++j)
          for (int64_t c = 0; c < n; ++c)
#if BUG == 4
            y[(r * size + i) * n + c] += m[j * size + i] * in[j * n + c];
#else
            y[(r * size + i) * n + c] += m[i * size + j] * in[j * n + c];
#endif
    }
  }
  return out;
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bsr_matmul, kit::BsrMatmul);
