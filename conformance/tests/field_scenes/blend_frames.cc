// SPDX-License-Identifier: Apache-2.0
// blend_frames(mode, options, frame, ...) -> float32 tensor of the frames' shape: "mean", "max", "range" (max - min) or
// "weighted" (options["weights"]) of frames of uint8, uint16 or float32, of any rank and strides. options["gain"] scales.
using namespace set;

template <class R>
static void accumulate(const std::vector<TensorView>& frames, int mode, const std::vector<double>& w, double gain, float* out, int64_t n) {
  const int rank = frames[0].ndim();
  const size_t F = frames.size();
  std::vector<std::vector<int64_t>> st;
  std::vector<const R*> base;
  for (size_t f = 0; f < F; ++f) {
#if BUG == 3
    st.push_back(strides_of(frames[0]));
#else
    st.push_back(strides_of(frames[f]));
#endif
#if BUG == 7
    base.push_back(f == 0 ? ptr<R>(frames[f]) : static_cast<const R*>(frames[f].data_ptr()));
#else
    base.push_back(ptr<R>(frames[f]));
#endif
  }
  const ShapeView shape = frames[0].shape();
  parallel(n, 1 << 14, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) {
      double sum = 0, hi = 0, lo = 0;
      for (size_t f = 0; f < F; ++f) {
        int64_t rest = i, at = 0;
        for (int d = rank - 1; d >= 0; --d) {
          at += rest % shape[d] * st[f][d];
          rest /= shape[d];
        }
        const double v = double(base[f][at]);
        sum += mode == 3 ? w[f] * v : v;
        if (f == 0 || v > hi || std::isnan(v)) hi = std::isnan(hi) && f ? hi : v;
        if (f == 0 || v < lo || std::isnan(v)) lo = std::isnan(lo) && f ? lo : v;
      }
      const double r = mode == 0 ? sum / double(F) : mode == 1 ? hi : mode == 2 ? hi - lo : sum;
      out[i] = float(r * gain);
    }
  });
}

static Any blend(const AnyView* args, int32_t num) {
#if BUG == 5
  REQUIRE(num >= 2, TypeError, "blend_frames takes mode, options and frames");
#else
  REQUIRE(num >= 3, TypeError, "blend_frames takes mode, options and at least one frame");
#endif
  auto name = args[0].try_cast<String>();
  REQUIRE(name.has_value(), TypeError, "mode must be a string");
  int mode = *name == "mean" ? 0 : *name == "max" ? 1 : *name == "range" ? 2 : *name == "weighted" ? 3 : -1;
  REQUIRE(mode >= 0, ValueError, "unknown mode " << *name);
  double gain = 1;
  std::vector<double> w;
  const size_t F = size_t(num - 2);
#if BUG == 6
  if (args[1].type_index() != TypeIndex::kTVMFFINone || mode == 3) {
    auto options = args[1].try_cast<Map<String, Any>>();
#else
  if (args[1].type_index() != TypeIndex::kTVMFFINone) {
    auto options = args[1].try_cast<Map<String, Any>>();
    REQUIRE(options.has_value(), TypeError, "options must be a map");
#endif
    for (const auto& kv : *options) {
      if (kv.second == nullptr) continue;
      if (kv.first == "gain") {
        auto g = kv.second.try_cast<double>();
        REQUIRE(g.has_value(), TypeError, "gain must be a number");
        REQUIRE(std::isfinite(*g), ValueError, "gain must be finite");
        gain = *g;
      } else if (kv.first == "weights") {
        auto list = kv.second.try_cast<Array<Any>>();
        REQUIRE(list.has_value(), TypeError, "weights must be an array");
        for (const Any& v : *list) {
          auto d = v.try_cast<double>();
#if BUG == 1
          w.push_back(d.value_or(0));
#else
          REQUIRE(d.has_value(), TypeError, "weights must be numbers");
          w.push_back(*d);
#endif
        }
      } else {
        FAIL(ValueError, "unknown option " << kv.first);
      }
    }
  }
  REQUIRE(mode != 3 || w.size() == F, ValueError, "\"weighted\" takes one weight for each frame");
  REQUIRE(mode == 3 || w.empty(), ValueError, "weights are of \"weighted\"");
  std::vector<TensorView> frames;
  for (int32_t i = 2; i < num; ++i) {
    auto t = args[i].try_cast<TensorView>();
    REQUIRE(t.has_value(), TypeError, "frames must be tensors");
    need_basic(*t, "a frame", -1);
    if (i == 2) {
      REQUIRE(same(t->dtype(), kU8) || same(t->dtype(), kU16) || same(t->dtype(), kF32), TypeError, "frames must be uint8, uint16 or float32");
    } else {
      const TensorView& first = frames[0];
      need_dtype(*t, "a frame", first.dtype());
      REQUIRE(t->ndim() == first.ndim(), ValueError, "frames must have the same rank");
#if BUG == 2
      REQUIRE(count(*t) == count(first), ValueError, "frames must have the same shape");
#else
      for (int d = 0; d < t->ndim(); ++d) REQUIRE(t->size(d) == first.size(d), ValueError, "frames must have the same shape");
#endif
    }
    frames.push_back(*t);
  }
  ShapeView s = frames[0].shape();
  Tensor out = alloc(std::vector<int64_t>(s.begin(), s.end()), kF32);
  int64_t n = count(frames[0]);
  if (n > 0) {
    float* o = static_cast<float*>(out.data_ptr());
    if (same(frames[0].dtype(), kU8)) {
      accumulate<uint8_t>(frames, mode, w, gain, o, n);
    } else if (same(frames[0].dtype(), kU16)) {
#if BUG == 4
      accumulate<int16_t>(frames, mode, w, gain, o, n);
#else
      accumulate<uint16_t>(frames, mode, w, gain, o, n);
#endif
    } else {
      accumulate<float>(frames, mode, w, gain, o, n);
    }
  }
  return out;
}

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_blend_frames(void*, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  *reinterpret_cast<Any*>(result) = blend(reinterpret_cast<const AnyView*>(args), num_args);
  TVM_FFI_SAFE_CALL_END();
}
