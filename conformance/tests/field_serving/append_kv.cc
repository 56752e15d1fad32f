// SPDX-License-Identifier: Apache-2.0
// reshape_and_cache: writes the new keys and values of a batch into a paged cache; and copies pages between two caches.
#if BUG == 5
template <typename I>
using SlotT = int32_t;
#else
template <typename I>
using SlotT = int64_t;
#endif

template <typename T>
static void StoreRow(const T *src, int64_t head_stride, T *dst, int64_t h, int64_t d,
                     const float *scale)
{
  for (int64_t j = 0; j < h; ++j) {
    const T *s = src + j * head_stride;
    T *t = dst + j * d;
    if (scale == nullptr) {
      std::memcpy(t, s, d * sizeof(T));
    } else {
      for (int64_t x = 0; x < d; ++x) {
#if BUG == 4
        if constexpr (std::is_same_v<T, BFloat>) {
          t[x].bits = From<Half>(double(ToFloat(Half{s[x].bits})) * scale[j]).bits;
          continue;
        }
#endif
        t[x] = From<T>(double(ToFloat(s[x])) * scale[j]);
      }
    }
  }
}

static void AppendKv(TensorView key, TensorView value, TensorView k_cache, TensorView v_cache,
                     TensorView slots, Optional<Tensor> scale)
{
  Check(key, "key", 3, {kF32, kF16, kBF16}, Layout::kRows);
  Check(value, "value", 3, {key.dtype()}, Layout::kRows);
  Check(k_cache, "k_cache", 4, {key.dtype()});
  Check(v_cache, "v_cache", 4, {key.dtype()});
  Check(slots, "slots", 1, {kI32, kI64});
  int64_t n = key.size(0), h = key.size(1), d = key.size(2), p = k_cache.size(0),
          ps = k_cache.size(1);
  for (int i = 0; i < 3; ++i) CheckSize(value, "value", i, key.size(i));
  for (int i = 0; i < 2; ++i) CheckSize(k_cache, "k_cache", 2 + i, key.size(1 + i));
  for (int i = 0; i < 4; ++i) CheckSize(v_cache, "v_cache", i, k_cache.size(i));
  CheckSize(slots, "slots", 0, n);
  const float *sp = nullptr;
  Tensor held;
  if (scale.has_value()) {
    held = scale.value();
    TensorView s(held);
    Check(s, "scale", 1, {kF32});
    CheckSize(s, "scale", 0, h);
    sp = Ptr<float>(s);
  }
  DispatchIndex(slots.dtype(), [&](auto tag) {
    using I = decltype(tag);
    const I *at = Ptr<I>(slots);
    int64_t n_slots = p * ps;
    std::vector<bool> taken(n_slots + 1, false);
    auto check = [&](int64_t i) {
      SlotT<I> s = static_cast<SlotT<I>>(at[i]);
#if BUG == 2
      TVM_FFI_CHECK(s >= -1 && s <= n_slots, IndexError)
          << "slots[" << i << "] = " << s << " is not in the cache";
#else
      TVM_FFI_CHECK(s >= -1 && s < n_slots, IndexError) << "slots[" << i << "] = " << s << " is not in the cache";
#endif
      if (s < 0) return;
      TVM_FFI_CHECK(!taken[s], ValueError) << "slot " << s << " is written twice";
      taken[s] = true;
    };
#if BUG != 3
    for (int64_t i = 0; i < n; ++i) check(i);
#endif
    DispatchFloat(key.dtype(), [&](auto e) {
      using T = decltype(e);
#if BUG == 1
      int64_t k0 = h * d, k1 = d;
#else
      int64_t k0 = StrideOf(key, 0), k1 = StrideOf(key, 1);
#endif
      int64_t v0 = StrideOf(value, 0), v1 = StrideOf(value, 1);
      for (int64_t i = 0; i < n; ++i) {
#if BUG == 3
        check(i);
#endif
        int64_t s = static_cast<SlotT<I>>(at[i]);
        if (s < 0) continue;
        StoreRow(Ptr<T>(key) + i * k0, k1, Ptr<T>(k_cache) + s * h * d, h, d, sp);
        StoreRow(Ptr<T>(value) + i * v0, v1, Ptr<T>(v_cache) + s * h * d, h, d, sp);
      }
    });
  });
}

static void SwapBlocks(TensorView src, TensorView dst, TensorView mapping)
{
  Check(src, "src", 3, {kF32, kF16, kBF16});
#if BUG == 6
  Check(dst, "dst", 3, {kF32, kF16, kBF16});
#else
  Check(dst, "dst", 3, {src.dtype()});
#endif
  Check(mapping, "mapping", 2, {kI64});
  CheckSize(mapping, "mapping", 1, 2);
  CheckSize(dst, "dst", 1, src.size(1));
  CheckSize(dst, "dst", 2, src.size(2));
  TVM_FFI_CHECK(src.size(0) >= 1, ValueError) << "src has no pages";
  int64_t m = mapping.size(0);
  const int64_t *at = Ptr<int64_t>(mapping);
  std::set<int64_t> written;
  for (int64_t i = 0; i < m; ++i) {
    TVM_FFI_CHECK(at[2 * i] >= 0 && at[2 * i] < src.size(0), IndexError)
        << "mapping[" << i << "]: no such source page";
    TVM_FFI_CHECK(at[2 * i + 1] >= 0 && at[2 * i + 1] < dst.size(0), IndexError)
        << "mapping[" << i << "]: no such target page";
    TVM_FFI_CHECK(written.insert(at[2 * i + 1]).second, ValueError)
        << "mapping[" << i << "]: target page is written twice";
  }
  size_t bytes = size_t(src.size(1)) * src.size(2) * (src.dtype().bits / 8);
  if (bytes == 0) return;
  for (int64_t i = 0; i < m; ++i) {
    std::memmove(Ptr<char>(dst) + at[2 * i + 1] * bytes, Ptr<char>(src) + at[2 * i] * bytes, bytes);
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(append_kv, AppendKv);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(swap_blocks, SwapBlocks);
