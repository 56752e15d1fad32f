// SPDX-License-Identifier: Apache-2.0
// pads: one number for all sides, (rows, columns), or None; fill: a number, or "edge" for the nearest element
Tensor Pad(TensorView x, Optional<Variant<int64_t, Tuple<int64_t, int64_t>>> pads, Variant<double, String> fill) {
  View v = view(x, "x", {F32, F64}, 2, kStrided);
  int64_t p[2] = {0, 0};
  if (pads.has_value()) {
    if (auto one = pads.value().as<int64_t>()) {
      p[0] = p[1] = *one;
    } else {
      auto two = pads.value().get<Tuple<int64_t, int64_t>>();
      p[0] = two.get<0>(), p[1] = two.get<1>();
    }
  }
  for (int64_t e : p) REQUIRE(ValueError, e >= 0 && e <= 3) << "pads must be from 0 to 3";
  bool edge = false;
  double with = 0;
  if (auto text = fill.as<String>()) {
    REQUIRE(ValueError, *text == "edge") << "fill must be a number or \"edge\"";
    REQUIRE(ValueError, v.numel > 0) << "nothing has no edge";
    edge = true;
  } else {
    with = fill.get<double>();
  }
  int64_t h = v.n(0), w = v.n(1), H = h + 2 * p[0], W = w + 2 * p[1];
  Tensor out = alloc({H, W}, v.dtype);
  View o = view(out, "out", {v.dtype}, 2);
  for (int64_t i = 0; i < H; ++i)
    for (int64_t j = 0; j < W; ++j) {
      int64_t a = i - p[0], b = j - p[1];
      bool inside = a >= 0 && a < h && b >= 0 && b < w;
      if (edge) a = std::clamp<int64_t>(a, 0, h - 1), b = std::clamp<int64_t>(b, 0, w - 1);
      store(o, i * W + j, inside || edge ? load(v, a * v.strides[0] + b * v.strides[1]) : with);
    }
  return out;
}
// the shape that it has then
Shape PaddedShape(Shape s, int64_t by) {
  REQUIRE(ValueError, s.size() == 2) << "s must have two extents";
  for (int64_t e : s) REQUIRE(ValueError, e >= 0 && e <= 100000) << "s: extents must be from 0 to 100000";
  REQUIRE(ValueError, by >= 0 && by <= 3) << "by must be from 0 to 3";
  return Shape({s[0] + 2 * by, s[1] + 2 * by});
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pad, Pad);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(padded_shape, PaddedShape);
