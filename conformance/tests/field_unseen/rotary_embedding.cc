// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding of queries and, where given, keys, in place; NeoX style or interleaved.
#include "vendor.h"

namespace vendor
{

template <typename T>
void Rotate(T *x, const float *cos, const float *sin, int64_t half, bool neox)
{
  for (int64_t j = 0; j < half; ++j) {
#if BUG == 1
    const int64_t a = neox ? j : 2 * j, b = neox ? j + half : 2 * j + half;
#else
    const int64_t a = neox ? j : 2 * j, b = neox ? j + half : 2 * j + 1;
#endif
    const float left = x[a], right = x[b];
#if BUG == 2
    x[a] = T(left * cos[j] + right * sin[j]);
    x[b] = T(right * cos[j] - left * sin[j]);
#else
    x[a] = T(left * cos[j] - right * sin[j]);
    x[b] = T(right * cos[j] + left * sin[j]);
#endif
  }
}

void RotaryEmbedding(TensorView positions, TensorView query, Optional<TensorView> key,
                     TensorView cos_sin_cache, bool is_neox)
{
  CHECK_INPUT(positions);
  CHECK_INPUT(query);
  CHECK_INPUT(cos_sin_cache);
  CHECK_DIM(1, positions);
  CHECK_DIM(3, query);
  CHECK_DIM(2, cos_sin_cache);
  CHECK_DTYPE(positions, kDLInt, 64);
  CHECK_DTYPE(cos_sin_cache, kDLFloat, 32);
  const int64_t tokens = query.size(0), heads = query.size(1), dim = query.size(2), half = dim / 2;
  CHECK_THAT(dim % 2 == 0, ValueError, "the head dimension must be even");
  CHECK_SIZE(positions, 0, tokens);
  CHECK_SIZE(cos_sin_cache, 1, dim);
#if BUG == 3
  TensorView keys = key.value();
#else
  TensorView keys = key.has_value() ? key.value() : query;
#endif
  if (key.has_value()) {
    CHECK_INPUT(keys);
    CHECK_DIM(3, keys);
    CHECK_THAT(SameType(keys.dtype(), query.dtype()), TypeError,
               "key must have the dtype of query");
    CHECK_SIZE(keys, 0, tokens);
    CHECK_SIZE(keys, 2, dim);
  }
  const int64_t *at = Ptr<int64_t>(positions);
#if BUG != 4
  for (int64_t i = 0; i < tokens; ++i)
    CHECK_THAT(0 <= at[i] && at[i] < cos_sin_cache.size(0), ValueError,
               "position " << at[i] << " is out of range");
#endif
#if BUG == 5
  const int64_t key_heads = heads;
#else
  const int64_t key_heads = keys.size(1);
#endif
  DispatchFloat(query.dtype(), "query", [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < tokens; ++i) {
      const float *cos = Ptr<float>(cos_sin_cache) + at[i] * dim, *sin = cos + half;
      for (int64_t h = 0; h < heads; ++h)
        Rotate(Ptr<T>(query) + (i * heads + h) * dim, cos, sin, half, is_neox);
      if (!key.has_value()) continue;
      for (int64_t h = 0; h < key_heads; ++h)
        Rotate(Ptr<T>(keys) + (i * key_heads + h) * dim, cos, sin, half, is_neox);
    }
  });
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rotary_embedding, vendor::RotaryEmbedding);
