// SPDX-License-Identifier: Apache-2.0
// Adds x @ w[adapter].T to a slice of the columns of y, segment by segment; adapter -1 is none.
#include "kit.h"

namespace kit
{

void SgmvExpand(TensorView y, TensorView x, TensorView w, TensorView lengths, TensorView adapters,
                int64_t offset)
{
  Dense(y, 2, "y");
  Dense(x, 2, "x");
  Dense(w, 3, "w");
  Dense(lengths, 1, "lengths");
  Dense(adapters, 1, "adapters");
  Typed(SameDtype(y, w), "w");
  Typed(IsF32(x), "x");
  Typed(IsI64(lengths), "lengths");
  Typed(IsI32(adapters), "adapters");
  const int64_t n = x.size(0), rank = x.size(1), out = w.size(1), wide = y.size(1);
  Extent(y, 0, n, "y");
  Extent(w, 2, rank, "w");
  Extent(adapters, 0, lengths.size(0), "adapters");
#if BUG == 2
  TVM_FFI_CHECK(offset >= 0 && offset <= wide, ValueError) << "offset is beyond the columns of y";
#else
  TVM_FFI_CHECK(offset >= 0 && offset <= wide - out, ValueError)
      << "the slice is beyond the columns of y";
#endif
  int64_t total = 0;
  for (int64_t s = 0; s < lengths.size(0); ++s) {
    const int64_t length = Data<int64_t>(lengths)[s];
    TVM_FFI_CHECK(0 <= length && length <= n, ValueError) << "lengths: " << length;
    total += length;
    const int32_t adapter = Data<int32_t>(adapters)[s];
    TVM_FFI_CHECK(-1 <= adapter && adapter < w.size(0), ValueError) << "adapters: " << adapter;
  }
#if BUG != 1
  TVM_FFI_CHECK(total == n, ValueError) << "lengths: expected a sum of " << n;
#endif
  ForFloats(y, "y", [&](auto zero) {
    using T = decltype(zero);
    int64_t row = 0;
    for (int64_t s = 0; s < lengths.size(0); ++s) {
      const int64_t end = row + Data<int64_t>(lengths)[s];
      const int64_t adapter = Data<int32_t>(adapters)[s];
#if BUG == 3
      if (adapter < 0) continue;
#else
      if (adapter < 0) {
        row = end;
        continue;
      }
#endif
      const T *weights = Data<T>(w) + adapter * out * rank;
      for (; row < end; ++row) {
        for (int64_t o = 0; o < out; ++o) {
#if BUG == 5
          T sum = T(0.0f);
          for (int64_t k = 0; k < rank; ++k)
            sum = T(static_cast<float>(sum) +
                    Data<float>(x)[row * rank + k] * static_cast<float>(weights[o * rank + k]));
#else
          float sum = 0;
          for (int64_t k = 0; k < rank; ++k)
            sum += Data<float>(x)[row * rank + k] * static_cast<float>(weights[o * rank + k]);
#endif
          T *to = Data<T>(y) + row * wide + offset + o;
#if BUG == 4
          *to = T(sum);
#else
          *to = T(static_cast<float>(*to) + static_cast<float>(sum));
#endif
        }
      }
    }
  });
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sgmv_expand, kit::SgmvExpand);
