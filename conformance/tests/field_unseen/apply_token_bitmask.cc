// SPDX-License-Identifier: Apache-2.0
// Logits of tokens that a grammar does not allow become -inf. Rows of logits may be padded; with indices, only
// these rows are masked.
#include "vendor.h"

namespace vendor
{

void ApplyTokenBitmask(TensorView logits, TensorView bitmask, Optional<TensorView> indices)
{
  CHECK_CPU(logits);
  CHECK_INPUT(bitmask);
  CHECK_DIM(2, logits);
  CHECK_DIM(2, bitmask);
  CHECK_DTYPE(bitmask, kDLInt, 32);
  CHECK_THAT(logits.size(1) <= 1 || logits.stride(1) == 1, ValueError,
             "rows of logits must be contiguous");
  const int64_t batch = logits.size(0), vocab = logits.size(1), words = (vocab + 31) / 32;
  CHECK_SIZE(bitmask, 0, batch);
#if BUG == 3
  CHECK_THAT(bitmask.size(1) <= words, ValueError, "bitmask has too many columns");
#else
  CHECK_SIZE(bitmask, 1, words);
#endif
  int64_t rows = batch;
  const int32_t *chosen = nullptr;
  if (indices.has_value()) {
    TensorView list = indices.value();
    CHECK_INPUT(list);
    CHECK_DIM(1, list);
    CHECK_DTYPE(list, kDLInt, 32);
    chosen = Ptr<int32_t>(list);
    rows = list.size(0);
#if BUG != 1
    for (int64_t i = 0; i < rows; ++i)
      CHECK_THAT(0 <= chosen[i] && chosen[i] < batch, ValueError, "indices must be rows of logits");
#endif
  }
  DispatchFloat(logits.dtype(), "logits", [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t row = chosen ? chosen[i] : i;
#if BUG == 2
      T *to = Ptr<T>(logits) + row * vocab;
#else
      T *to = Ptr<T>(logits) + row * logits.stride(0);
#endif
#if BUG == 4
      const int32_t *mask = Ptr<int32_t>(bitmask) + i * words;
#else
      const int32_t *mask = Ptr<int32_t>(bitmask) + row * words;
#endif
#if BUG == 5
      for (int64_t w = 0; w < words; ++w)
        for (int bit = 0; bit < 32; ++bit)
          if (!(mask[w] >> bit & 1)) to[w * 32 + bit] = T(-std::numeric_limits<float>::infinity());
#else
      for (int64_t v = 0; v < vocab; ++v)
        if (!(mask[v / 32] >> (v % 32) & 1)) to[v] = T(-std::numeric_limits<float>::infinity());
#endif
    }
  });
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_token_bitmask, vendor::ApplyTokenBitmask);
