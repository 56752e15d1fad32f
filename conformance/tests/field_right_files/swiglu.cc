// SPDX-License-Identifier: Apache-2.0
// out = min(gate, limit) * sigmoid(min(gate, limit)) * clip(up, -limit, limit), with [gate, up] the halves of x
void SwiGLU(TensorView xt, ffi::Optional<double> limit, TensorView ot) {
  Arr x = Check(xt, "x", {F16, BF16, F32}, -2, ROWS), o = Check(ot, "out", {F16, BF16, F32}, -2, CONTIGUOUS, true);
  SameType(o, x, "out");
  NEED(x.shape.back() % 2 == 0, ValueError, "the last extent of x must be even");
  auto want = x.shape;
  want.back() /= 2;
  Shaped(o, "out", want);
  NEED(reinterpret_cast<uintptr_t>(o.data) % 16 == 0, ValueError, "out must be aligned to 16 bytes");
  double most = limit.has_value() ? limit.value() : std::numeric_limits<double>::infinity();
  NEED(most > 0, ValueError, "limit must be positive");
  if (o.numel == 0) return;
  int64_t d = want.back(), rows = o.numel / d;
  for (int64_t r = 0; r < rows; ++r) {
    const char* in = x.row(r);
    char* out = o.data + r * d * o.item;
    for (int64_t i = 0; i < d; ++i) {
      double g = Load(in + i * x.item, x.code), u = Load(in + (d + i) * x.item, x.code);
      if (g > most) g = most;
      if (u > most) u = most;
      if (u < -most) u = -most;
      Store(out + i * o.item, o.code, g * (1 / (1 + std::exp(-g))) * u);
    }
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(swiglu, SwiGLU);

void Relu(TensorView xt) {
  Arr x = Check(xt, "x", {F32, I8, I32}, -1, STRIDED, true);
  for (int64_t i = 0; i < x.numel; ++i) {
    double v = Load(x.flat(i), x.code);
    if (v < 0) Store(x.flat(i), x.code, 0);
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(relu_, Relu);
