// SPDX-License-Identifier: Apache-2.0
// Tensors and shapes made of shapes.
static ffi::Tensor full(ffi::Shape s, ffi::Variant<int64_t, double> fill, DLDataType d) {
  NEED(s.defined(), TypeError, "s: expected a shape, not None");
  int64_t n = 1;
  for (int64_t e : s) NEED(e >= 0 && e <= 32, ValueError, "s: extents are 0 to 32, got " << e);
  bool none = std::find(s.begin(), s.end(), 0) != s.end();
  for (int64_t e : s) {
    n = none ? 0 : n * e;
    NEED(n <= 65536, ValueError, "s: more than 65536 elements");
  }
  NEED(d == F32 || d == F16 || d == I8 || d == I64, TypeError, "d: " << d << " is not supported");
  double f;
  if (auto i = fill.as<int64_t>()) {
    NEED(*i >= -128 && *i <= 127, ValueError, "fill: whole numbers are -128 to 127");
    f = double(*i);
  } else {
    f = fill.get<double>();
    NEED(f >= -1000 && f <= 1000, ValueError, "fill: -1000 to 1000");
  }
  ffi::Tensor out = make(s, d);
  n = out.numel();
  void* p = out.data_ptr();
  if (d == F32) std::fill_n(static_cast<float*>(p), n, float(f));
  else if (d == F16) std::fill_n(static_cast<uint16_t*>(p), n, put<half_t>(f).v);
  else if (d == I8) std::fill_n(static_cast<int8_t*>(p), n, static_cast<int8_t>(static_cast<int64_t>(f)));
  else std::fill_n(static_cast<int64_t*>(p), n, static_cast<int64_t>(f));
  return out;
}

static ffi::Shape shape_of(ffi::TensorView x) { return ffi::Shape(x.shape()); }

static ffi::Shape windows(ffi::Shape s, int64_t k) {
  NEED(s.defined(), TypeError, "s: expected a shape, not None");
  NEED(s.size() == 2, ValueError, "s: expected two extents, got " << s.size());
  NEED(s[0] >= 1 && s[1] >= 1 && s[0] <= 1000000 && s[1] <= 1000000, ValueError, "s: expected 1 to 1000000");
  NEED(k >= 1 && k <= s[0] && k <= s[1], ValueError, "k: expected 1 to the least extent");
  return {s[0] - k + 1, s[1] - k + 1};
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(full, full);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(shape_of, shape_of);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(windows, windows);
