// SPDX-License-Identifier: Apache-2.0
// Rotates pairs of elements, in place: halves of the last dimension, or neighbours.
void Rope(TensorView xt, TensorView ct, TensorView st, bool neighbours) {
  Arr x = Check(xt, "x", {F32, F64, BF16}, -2, STRIDED, true), c = Check(ct, "cos", {F32, F64, BF16}, -2, CONTIGUOUS), s = Check(st, "sin", {F32, F64, BF16}, -2, CONTIGUOUS);
  SameType(c, x, "cos");
  SameType(s, x, "sin");
  NEED(x.shape.back() % 2 == 0, ValueError, "the last extent of x must be even");
  auto want = x.shape;
  want.back() /= 2;
  Shaped(c, "cos", want);
  Shaped(s, "sin", want);
  if (c.numel == 0) return;
  int64_t d = want.back(), rows = c.numel / d;
  for (int64_t r = 0; r < rows; ++r) {
    char* row = x.row(r);
    for (int64_t i = 0; i < d; ++i) {
      char* p = row + (neighbours ? 2 * i : i) * x.step();
      char* q = row + (neighbours ? 2 * i + 1 : d + i) * x.step();
      double a = Load(p, x.code), b = Load(q, x.code), co = Load(c.data + (r * d + i) * c.item, x.code), si = Load(s.data + (r * d + i) * s.item, x.code);
      Store(p, x.code, a * co - b * si);
      Store(q, x.code, a * si + b * co);
    }
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rope, Rope);

ffi::Tensor Axpby(double a, TensorView xt, double b, TensorView zt, ffi::Optional<ffi::Tensor> out) {
  std::vector<Code> types{F32, F64};
  Arr x = Check(xt, "x", types, -1, CONTIGUOUS), z = Check(zt, "z", types, -1, CONTIGUOUS);
  SameType(z, x, "z");
  Shaped(z, "z", x.shape);
  if (out.has_value()) {
    Arr o = Check(out.value(), "out", types, -1, CONTIGUOUS, true);
    SameType(o, x, "out");
    Shaped(o, "out", x.shape);
  }
  NEED(a >= -1000 && a <= 1000 && b >= -1000 && b <= 1000, ValueError, "a factor is not within -1000 and 1000");
  ffi::Tensor y = out.has_value() ? out.value() : New(x.shape, x.code);
  for (int64_t i = 0; i < x.numel; ++i) Store(Data(y) + i * x.item, x.code, a * Load(x.data + i * x.item, x.code) + b * Load(z.data + i * x.item, x.code));
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(axpby, Axpby);
