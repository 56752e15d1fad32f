// SPDX-License-Identifier: Apache-2.0
// resize_nearest: a picture in another size. ramp: start, start + step, ... in a given shape and data type.
void ResizeNearest(TensorView xt, ffi::Shape s, TensorView yt) {
  Arr x = Check(xt, "x", {U8, F16, F32}, 2, ROWS), y = Check(yt, "y", {U8, F16, F32}, 2, ROWS, true);
  SameType(y, x, "y");
  NEED(s.size() == 2, ValueError, "the size must be two numbers");
  for (int64_t v : s) NEED(v >= 0 && v <= 300, ValueError, "an extent is not within 0 and 300: " << v);
  Shaped(y, "y", {s[0], s[1]});
  int64_t h = x.shape[0], w = x.shape[1];
  NEED(h >= 1 && w >= 1, ValueError, "x is empty");
  for (int64_t i = 0; i < s[0]; ++i)
    for (int64_t j = 0; j < s[1]; ++j) std::memcpy(y.at(i, j), x.at(i * h / s[0], j * w / s[1]), x.item);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(resize_nearest, ResizeNearest);

ffi::Tensor Ramp(ffi::Shape s, int64_t start, int64_t step, DLDataType t) {
  Code code = F32;
  bool known = false;
  for (Code c : {F32, F64, F16, I32, I64}) if (Same(t, TypeOf(c))) { code = c; known = true; }
  NEED(known, TypeError, "no ramps of this data type");
  NEED(s.size() <= 4, ValueError, "more than 4 dimensions");
  NEED(start >= -1000 && start <= 1000, ValueError, "start is not within -1000 and 1000");
  NEED(step >= -9 && step <= 9, ValueError, "step is not within -9 and 9");
  int64_t n = 1;
  for (int64_t v : s) {
    NEED(v >= 0 && v <= 64, ValueError, "an extent is not within 0 and 64: " << v);
    n *= v;
  }
  NEED(n <= 4096, ValueError, "more than 4096 elements");
  std::vector<int64_t> shape(s.begin(), s.end());
  ffi::Tensor out = New(shape, code);
  for (int64_t i = 0; i < n; ++i) Store(Data(out) + i * t.bits / 8, code, double(start + i * step));
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(ramp, Ramp);

void Fill(ffi::Shape s, int64_t v, TensorView yt) {
  Arr y = Check(yt, "y", {I32, U8}, 2, STRIDED, true);
  NEED(v == 0 || v == 1 || v == 255, ValueError, "v must be 0, 1 or 255, not " << v);
  NEED(s.size() == 2, ValueError, "the shape must be two numbers");
  Shaped(y, "y", {s[0], s[1]});
  for (int64_t i = 0; i < y.numel; ++i) Store(y.flat(i), y.code, double(v));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill, Fill);
