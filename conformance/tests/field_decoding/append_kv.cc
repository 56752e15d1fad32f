// SPDX-License-Identifier: Apache-2.0
// Writes the keys and values of new tokens into a paged cache, at the slots of a slot mapping
// (slot = page * page_size + place; -1: the token is padding). The cache has the type of the
// tokens, or is float8_e4m3fn with one scale for keys and one for values. Returns the number of
// tokens written. Of tokens with the same slot, the last one stays.
namespace {

using namespace set;

struct Side {
  View from, to;
  double scale;
};

template <typename T, typename C>
void Write(const Side& side, int64_t token, int64_t page, int64_t place) {
  const View& f = side.from;
  const View& c = side.to;
  for (int64_t h = 0; h < f.shape[1]; ++h) {
    const T* from = f.at<T>(token * f.stride[0] + h * f.stride[1]);
#if BUG == 8
    C* to = c.at<C>(((page * c.shape[1] + place) * c.shape[2] + h) * c.shape[3]);
#else
    C* to = c.at<C>(page * c.stride[0] + place * c.stride[1] + h * c.stride[2]);
#endif
    for (int64_t i = 0; i < f.shape[2]; ++i) {
      if constexpr (std::is_same_v<T, C>) {
        to[i] = from[i];
      } else {
        double x = Get(from[i]) / side.scale;
        if (BUG == 6 && std::fabs(x) > 464) x = std::numeric_limits<double>::quiet_NaN();
        Put(x, &to[i]);
      }
    }
  }
}

int64_t AppendKv(TensorView key_, TensorView value_, TensorView k_cache_, TensorView v_cache_,
                 TensorView slots_, Optional<double> k_scale, Optional<double> v_scale) {
  Side k, v;
  k.from = Look(key_, "key", 3, {kF32, kF16, kBF16});
  NeedRows(k.from);
  const int64_t n = k.from.shape[0], h = k.from.shape[1], d = k.from.shape[2];
  v.from = Look(value_, "value", 3, {kF32, kF16, kBF16});
  NeedSameType(v.from, k.from);
  const int64_t dv = v.from.shape[2];
  NeedShape(v.from, {n, h, dv});
  NeedRows(v.from);

  k.to = Look(k_cache_, "k_cache", 4, {kF32, kF16, kBF16, kE4M3});
  v.to = Look(v_cache_, "v_cache", 4, {kF32, kF16, kBF16, kE4M3});
  NeedSameType(v.to, k.to);
  const bool quantized = Same(k.to.dtype, kE4M3);
  if (!quantized) NeedSameType(k.to, k.from);
  const int64_t pages = k.to.shape[0], page_size = k.to.shape[1];
  NeedShape(k.to, {pages, page_size, h, d});
  NeedShape(v.to, {pages, page_size, h, dv});
  NeedRows(k.to);
  NeedRows(v.to);
  NeedDistinct(k.to);
  NeedDistinct(v.to);

  View slots = Look(slots_, "slot_mapping", 1, {kI32, kI64});
  NeedShape(slots, {n});
  NeedContiguous(slots);

  k.scale = k_scale.has_value() ? k_scale.value() : 1;
  v.scale = v_scale.has_value() ? v_scale.value() : 1;
  if (BUG == 5) v.scale = k.scale;
  if (!quantized && (k_scale.has_value() || v_scale.has_value())) {
    TVM_FFI_THROW(ValueError) << (k_scale.has_value() ? "k_scale" : "v_scale")
                              << ": is only for a cache of float8_e4m3fn";
  }
  if (!std::isfinite(k.scale) || k.scale <= 0) {
    TVM_FFI_THROW(ValueError) << "k_scale: must be a finite number > 0";
  }
  if (!std::isfinite(v.scale) || v.scale <= 0) {
    TVM_FFI_THROW(ValueError) << "v_scale: must be a finite number > 0";
  }

  auto check = [&](int64_t slot) {
    const bool low = BUG == 2 ? false : slot < -1;
    const bool high = BUG == 1 ? slot > pages * page_size : slot >= pages * page_size;
    if (low || high) {
      TVM_FFI_THROW(ValueError) << "slot_mapping: unknown slot " << slot << " of " << pages
                                << " pages of " << page_size;
    }
  };
#if BUG != 4
  for (int64_t t = 0; t < n; ++t) {
    check(BUG == 9 ? static_cast<int32_t>(slots.index(t)) : slots.index(t));
  }
#endif
#if BUG == 3
  v.from.stride[0] = k.from.stride[0];
#endif

  int64_t written = 0;
  ByFloat(k.from.dtype, [&](auto tag) {
    using T = decltype(tag);
    for (int64_t t = 0; t < n; ++t) {
      int64_t slot = slots.index(t);
#if BUG == 4
      check(slot);
#endif
#if BUG == 9
      slot = static_cast<int32_t>(slot);
#endif
      if (BUG == 7) ++written;
      if (slot < 0) continue;
      const int64_t page = slot / page_size, place = slot % page_size;
      for (const Side* side : {&k, &v}) {
        if (quantized) {
          Write<T, E4M3>(*side, t, page, place);
        } else {
          Write<T, T>(*side, t, page, place);
        }
      }
      if (BUG != 7) ++written;
    }
  });
  return written;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(append_kv, AppendKv);
