// SPDX-License-Identifier: Apache-2.0
// Rotates the first elements of each head by a cache of cosines and sines; q_out may be q, k_out may be k.
#include "kit.h"

namespace kit
{

template <typename T, typename P>
static void Rotate(TensorView x, TensorView out, TensorView cache, TensorView pos, bool interleave)
{
  const int64_t n = x.size(0), heads = x.size(1), d = x.size(2), rot = cache.size(1),
                half = rot / 2;
  for (int64_t i = 0; i < n; ++i) {
    const float *row = Data<float>(cache) + Data<P>(pos)[i] * rot;
    for (int64_t h = 0; h < heads; ++h) {
      const T *in = Data<T>(x) + (i * heads + h) * d;
      T *to = Data<T>(out) + (i * heads + h) * d;
      for (int64_t j = 0; j < half; ++j) {
        const int64_t a = interleave ? 2 * j : j, b = interleave ? 2 * j + 1 : j + half;
#if BUG == 3
        const float c = row[2 * j], s = row[2 * j + 1];
#else
        const float c = row[j], s = row[half + j];
#endif
#if BUG == 2
        to[a] = T(static_cast<float>(in[a]) * c - static_cast<float>(in[b]) * s);
        to[b] = T(static_cast<float>(in[b]) * c + static_cast<float>(in[a]) * s);
#else
        const float u = in[a], v = in[b];
        to[a] = T(u * c - v * s);
        to[b] = T(v * c + u * s);
#endif
      }
#if BUG != 1
      if (to != in)
        for (int64_t j = rot; j < d; ++j) to[j] = in[j];
#endif
    }
  }
}

void RopeCached(TensorView q, TensorView k, TensorView q_out, TensorView k_out,
                TensorView cos_sin_cache, TensorView pos_ids, bool interleave)
{
  Dense(q, 3, "q");
  Dense(k, 3, "k");
  Dense(q_out, 3, "q_out");
  Dense(k_out, 3, "k_out");
  Dense(cos_sin_cache, 2, "cos_sin_cache");
  Dense(pos_ids, 1, "pos_ids");
  Typed(SameDtype(q, k), "k");
  Typed(SameDtype(q, q_out), "q_out");
  Typed(SameDtype(q, k_out), "k_out");
  Typed(IsF32(cos_sin_cache), "cos_sin_cache");
  Typed(IsI32(pos_ids) || IsI64(pos_ids), "pos_ids");
  const int64_t n = q.size(0), d = q.size(2);
  Extent(k, 0, n, "k");
  Extent(k, 2, d, "k");
  for (int axis = 0; axis < 3; ++axis) {
    Extent(q_out, axis, q.size(axis), "q_out");
#if BUG == 6
    if (axis != 1)
#endif
      Extent(k_out, axis, k.size(axis), "k_out");
  }
  Extent(pos_ids, 0, n, "pos_ids");
  TVM_FFI_CHECK(cos_sin_cache.size(1) % 2 == 0 && cos_sin_cache.size(1) <= d, ValueError)
      << "cos_sin_cache: the rotary dimension must be even and at most " << d;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t p = IntAt(pos_ids, i);
#if BUG == 5
    TVM_FFI_CHECK(p >= 0, IndexError) << "pos_ids: negative";
#else
    TVM_FFI_CHECK(0 <= p && p < cos_sin_cache.size(0), IndexError)
        << "pos_ids: " << p << " is not in the cache";
#endif
  }
  ForFloats(q, "q", [&](auto zero) {
    using T = decltype(zero);
#if BUG == 4
    const bool wide = false;
#else
    const bool wide = IsI64(pos_ids);
#endif
    if (wide) {
      Rotate<T, int64_t>(q, q_out, cos_sin_cache, pos_ids, interleave);
      Rotate<T, int64_t>(k, k_out, cos_sin_cache, pos_ids, interleave);
    } else {
      Rotate<T, int32_t>(q, q_out, cos_sin_cache, pos_ids, interleave);
      Rotate<T, int32_t>(k, k_out, cos_sin_cache, pos_ids, interleave);
    }
  });
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rope_cached, kit::RopeCached);
