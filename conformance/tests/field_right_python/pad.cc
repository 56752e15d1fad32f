// SPDX-License-Identifier: Apache-2.0
// x with rows and columns around it: of a number, or repeating what is at the edge.
using Pads = ffi::Variant<int64_t, ffi::Tuple<int64_t, int64_t, int64_t, int64_t>>;
static ffi::Tensor pad(ffi::TensorView x, Pads pads, ffi::Variant<double, ffi::String> fill) {
  View vx = view(x, "x", {F32, F64}, 2, kStrided);
  int64_t p[4];
  if (auto one = pads.as<int64_t>()) {
    std::fill(p, p + 4, *one);
  } else {
    auto four = pads.get<ffi::Tuple<int64_t, int64_t, int64_t, int64_t>>();
    p[0] = four.get<0>(), p[1] = four.get<1>(), p[2] = four.get<2>(), p[3] = four.get<3>();
  }
  for (int64_t v : p) NEED(v >= 0 && v <= 16, ValueError) << "pads must be within [0, 16], not " << v;
  double value = 0;
  bool edge = false;
  if (auto text = fill.as<ffi::String>()) {
    NEED(*text == "edge", ValueError) << "fill must be a number or edge";
    edge = true;
    NEED(vx.n > 0, ValueError) << "an empty matrix has no edge";
  } else {
    value = fill.get<double>();
  }
  int64_t n = vx.shape[0], d = vx.shape[1], rows, columns;
  NEED(!__builtin_add_overflow(n, p[0] + p[1], &rows) && !__builtin_add_overflow(d, p[2] + p[3], &columns), ValueError)
      << "too many elements";
  count({rows, columns, vx.item});
  ffi::Tensor y = alloc({rows, columns}, vx.dt);
  View vy = view(y, "y", {vx.dt});
  for (int64_t i = 0; vy.n > 0 && i < rows; i++)
    for (int64_t j = 0; j < columns; j++) {
      int64_t a = i - p[0], b = j - p[2];
      bool inside = a >= 0 && a < n && b >= 0 && b < d;
      if (edge) a = std::clamp<int64_t>(a, 0, n - 1), b = std::clamp<int64_t>(b, 0, d - 1);
      double v = inside || edge ? load(vx.dt, vx.at(a * vx.stride[0] + b * vx.stride[1])) : value;
      store(vy.dt, vy.at(i * columns + j), v);
    }
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pad, pad);

static bool is_none(ffi::AnyView x, ffi::Optional<bool> invert) {
  return (x.type_index() == ffi::TypeIndex::kTVMFFINone) != (invert.has_value() && *invert);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(is_none, is_none);

static void nothing(std::nullptr_t) {}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(nothing, nothing);
