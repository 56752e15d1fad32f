// SPDX-License-Identifier: Apache-2.0
// Rounds to integers of 8 bits, with a scale for each 4 elements of a row, and back.
int64_t Groups(int64_t n) { return n / 4 + (n % 4 != 0); }
int Zero(const ffi::Optional<int64_t>& z) {
  int64_t v = z.has_value() ? z.value() : 0;
  NEED(v >= -8 && v <= 8, ValueError, "zero is not within -8 and 8: " << v);
  return int(v);
}
ffi::Tensor Quant(TensorView xt, TensorView st, ffi::Optional<int64_t> zero, DLDataType t) {
  Arr x = Check(xt, "x", {F16, F32}, 2, ROWS), s = Check(st, "scales", {F32}, 2, CONTIGUOUS);
  int z = Zero(zero);
  bool is_signed = Same(t, TypeOf(I8));
  NEED(is_signed || Same(t, TypeOf(U8)), TypeError, "qtype must be int8 or uint8");
  int64_t m = x.shape[0], n = x.shape[1];
  Shaped(s, "scales", {m, Groups(n)});
  double lo = is_signed ? -128 : 0, hi = is_signed ? 127 : 255;
  ffi::Tensor out = New({m, n}, is_signed ? I8 : U8);
  char* o = Data(out);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double v = std::nearbyint(Load(x.at(i, j), x.code) / Load(s.at(i, j / 4), F32)) + z;
      v = std::isnan(v) ? 0 : v < lo ? lo : v > hi ? hi : v;
      Store(o + i * n + j, is_signed ? I8 : U8, v);
    }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(quant, Quant);

void Dequant(TensorView qt, TensorView st, ffi::Optional<int64_t> zero, TensorView yt) {
  Arr q = Check(qt, "q", {I8, U8}, 2, ROWS), s = Check(st, "scales", {F32}, 2, CONTIGUOUS), y = Check(yt, "y", {F16, BF16, F32}, 2, ROWS, true);
  int z = Zero(zero);
  int64_t m = q.shape[0], n = q.shape[1];
  Shaped(s, "scales", {m, Groups(n)});
  Shaped(y, "y", {m, n});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) Store(y.at(i, j), y.code, (Load(q.at(i, j), q.code) - z) * Load(s.at(i, j / 4), F32));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dequant, Dequant);

void Lut(TensorView ct, TensorView tt, TensorView yt) {
  Arr c = Check(ct, "codes", {U8, I32}, -1, CONTIGUOUS), t = Check(tt, "table", {F32}, 1, CONTIGUOUS), y = Check(yt, "y", {F32}, -1, CONTIGUOUS, true);
  Shaped(t, "table", {4});
  NEED(reinterpret_cast<uintptr_t>(t.data) % 16 == 0, ValueError, "table must be aligned to 16 bytes");
  Shaped(y, "y", c.shape);
  for (int64_t i = 0; i < c.numel; ++i) {
    double v = Load(c.flat(i), c.code);
    NEED(v >= 0 && v < 4, IndexError, "a code is not within 0 and 3: " << v);
  }
  for (int64_t i = 0; i < c.numel; ++i) std::memcpy(y.flat(i), t.at(int64_t(Load(c.flat(i), c.code))), 4);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lut, Lut);
