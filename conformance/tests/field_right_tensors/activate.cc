// SPDX-License-Identifier: Apache-2.0
// Elementwise activation, chosen by a map of attributes; any strides, in place if wanted.
static std::optional<double> number(const ffi::Any& a) {
  if (auto f = a.as<double>()) return *f;
  if (a.type_index() == ffi::TypeIndex::kTVMFFIInt) return static_cast<double>(a.cast<int64_t>());
  return std::nullopt;
}

static void activate(DLTensor* x_, DLTensor* out_, ffi::Map<ffi::String, ffi::Any> attrs) {
  View x(x_, "x"), out(out_, "out");
  NEED(attrs.defined(), TypeError, "attrs: expected a map, not None");
  std::string mode;
  double slope = 0.01, lo = 0, hi = 0;
  bool bounds = false;
  for (const auto& [key, value] : attrs) {
    if (key == "mode") {
      auto s = value.try_cast<ffi::String>();
      NEED(s, TypeError, "attrs: mode must be a string");
      mode = *s;
    } else if (key == "slope") {
      if (value == nullptr) continue;
      auto v = number(value);
      NEED(v, TypeError, "attrs: slope must be a number");
      NEED(*v >= 0 && *v <= 1, ValueError, "attrs: slope must be 0 to 1");
      slope = *v;
    } else if (key == "bounds") {
      if (value == nullptr) continue;
      auto v = value.try_cast<ffi::Array<ffi::Any>>();
      NEED(v, TypeError, "attrs: bounds must be two numbers");
      NEED(v->size() == 2, ValueError, "attrs: bounds must be two numbers");
      auto a = number((*v)[0]), b = number((*v)[1]);
      NEED(a && b, TypeError, "attrs: bounds must be two numbers");
      NEED(*a <= *b, ValueError, "attrs: bounds must be in order");
      lo = *a, hi = *b, bounds = true;
    } else {
      TVM_FFI_THROW(KeyError) << "attrs: unknown key " << key;
    }
  }
  NEED(mode == "relu" || mode == "leaky" || mode == "silu" || mode == "clip", ValueError,
       "attrs: mode must be relu, leaky, silu or clip");
  NEED(mode != "clip" || bounds, ValueError, "attrs: clip needs bounds");
  x.cpu().type({F16, F32, F64, BF16});
  out.cpu().same_type(x).rank(x.nd());
  for (int i = 0; i < x.nd(); ++i) out.extent(i, x.n(i));
  int64_t n = x.numel();
  char m = mode[0];
  with_float(x.dtype(), [&](auto t) {
    using T = decltype(t);
    parallel(n, n * 8, [&](int64_t a, int64_t b) {
      for (int64_t i = a; i < b; ++i) {
        double e = get(x.p<T>()[x.at(i, x.nd())]), y;
        if (m == 'r') y = e < 0 ? 0 : e;
        else if (m == 'l') y = e < 0 ? e * slope : e;
        else if (m == 's') y = e < 0 ? e * (std::exp(e) / (1 + std::exp(e))) : e / (1 + std::exp(-e));
        else y = e < lo ? lo : e > hi ? hi : e;
        out.p<T>()[out.at(i, x.nd())] = put<T>(y);
      }
    });
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(activate, activate);
