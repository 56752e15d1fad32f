// SPDX-License-Identifier: Apache-2.0
// variants: how much to pad, and with what
Tensor pad(Tensor x, ffi::Variant<int64_t, ffi::Shape> pads, Optional<ffi::Variant<double, String>> fill) {
  check(dl(x), "x", {F32}, 1);
  int64_t a, b, n = x.size(0);
  if (auto p = pads.as<int64_t>()) {
    a = b = *p;
  } else {
    ffi::Shape s = pads.get<ffi::Shape>();
    REQUIRE(s.size() == 2, ValueError, "pads must be a number or two");
    a = s[0];
    b = s[1];
  }
  REQUIRE(a >= 0 && a <= 1024 && b >= 0 && b <= 1024, ValueError, "pads must lie in [0, 1024]");
  double left = 0, right = 0;
  if (fill.has_value()) {
    if (auto v = (*fill).as<double>()) {
      left = right = *v;
      REQUIRE(left >= -100 && left <= 100, ValueError, "fill must lie in [-100, 100]");
    } else {
      String mode = (*fill).get<String>();
      REQUIRE(mode == "edge", ValueError, "fill must be a number or edge");
      REQUIRE(n > 0, ValueError, "no elements, and so no edge");
      left = load(dl(x), 0);
      right = load(dl(x), n - 1);
    }
  }
  Tensor y = alloc({a + n + b}, F32);
  for (int64_t i = 0; i < a + n + b; ++i) store(dl(y), i, i < a ? left : i < a + n ? load(dl(x), i - a) : right);
  return y;
}
// the first of several things that is a number: a number itself, or the number of what it holds
using Thing = ffi::Variant<int64_t, String, Array<int64_t>, Map<String, int64_t>>;
int64_t measure(Array<Thing> things) {
  uint64_t total = 0;
  for (const Thing& t : things) {
    if (auto i = t.as<int64_t>()) {
      REQUIRE(*i >= -1000 && *i <= 1000, ValueError, "a number must lie in [-1000, 1000]");
      total += static_cast<uint64_t>(*i);
    } else if (t.as<String>()) {
      total += t.get<String>().size();
    } else if (auto a = t.as<Array<int64_t>>()) {
      total += a->size();
    } else {
      total += t.get<Map<String, int64_t>>().size();
    }
  }
  return static_cast<int64_t>(total);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pad, pad);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(measure, measure);
