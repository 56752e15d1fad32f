// SPDX-License-Identifier: Apache-2.0
// Two numbers of 4 bits in a byte, the first in the low half.
static ffi::Tensor pack_nibbles(ffi::TensorView x) {
  View v = view(x, "x", {U8}, 1);
  for (int64_t i = 0; i < v.n; i++) NEED(get<uint8_t>(v.at(i)) <= 15, ValueError) << "elements must be within [0, 15]";
  ffi::Tensor y = alloc({v.n / 2 + v.n % 2}, U8);
  View vy = view(y, "y", {U8});
  for (int64_t i = 0; i < vy.n; i++) {
    unsigned hi = 2 * i + 1 < v.n ? get<uint8_t>(v.at(2 * i + 1)) : 0;
    put(vy.at(i), static_cast<uint8_t>(get<uint8_t>(v.at(2 * i)) | hi << 4));
  }
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pack_nibbles, pack_nibbles);

static ffi::Tensor unpack_nibbles(ffi::TensorView x, int64_t n) {
  View v = view(x, "x", {U8}, 1);
  NEED(n >= 0 && n <= 1000, ValueError) << "n must be within [0, 1000]";
  NEED(v.n == (n + 1) / 2, ValueError) << "x must have " << (n + 1) / 2 << " elements";
  ffi::Tensor y = alloc({n}, U8);
  View vy = view(y, "y", {U8});
  for (int64_t i = 0; i < n; i++) put(vy.at(i), static_cast<uint8_t>(get<uint8_t>(v.at(i / 2)) >> 4 * (i % 2) & 15));
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unpack_nibbles, unpack_nibbles);

static ffi::Tensor reshape(ffi::TensorView x, ffi::Shape s) {
  View v = view(x, "x", {F32}, 1);
  NEED(s.size() <= 8, ValueError) << "up to 8 extents are taken";
  std::vector<int64_t> shape(s.begin(), s.end());
  for (int64_t e : shape) NEED(e >= 0 && e <= 8, ValueError) << "extents must be within [0, 8]";
  NEED(count(shape) == v.n, ValueError) << "the shape has not " << v.n << " elements";
  ffi::Tensor y = alloc(shape, F32);
  if (v.n > 0) std::memcpy(view(y, "y", {F32}).p, v.p, v.n * 4);
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(reshape, reshape);

// Floats of 8 bits as float32.
constexpr DLDataType E4M3{kDLFloat8_e4m3fn, 8, 1}, E5M2{kDLFloat8_e5m2, 8, 1};
static ffi::Tensor widen(ffi::TensorView x) {
  View v = view(x, "x", {E4M3, E5M2});
  ffi::Tensor y = alloc(v.shape, F32);
  View vy = view(y, "y", {F32});
  for (int64_t i = 0; i < v.n; i++) {
    uint8_t b = get<uint8_t>(v.at(i));
    float f;
    if (v.dt == E5M2) {
      f = half_to_float(static_cast<uint16_t>(b << 8));
    } else {
      int e = b >> 3 & 15, m = b & 7;
      f = (b & 127) == 127 ? std::numeric_limits<float>::quiet_NaN()
                           : std::ldexp(static_cast<float>(e == 0 ? m : m + 8), (e == 0 ? 1 : e) - 10);
      f = std::copysign(f, b & 128 ? -1.0f : 1.0f);
    }
    put(vy.at(i), f);
  }
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(widen, widen);

// out[j] = w0*x[0,j] + ... + w3*x[3,j]
static void mix(ffi::TensorView x, ffi::TensorView weights, ffi::TensorView bias, ffi::TensorView out) {
  View vx = view(x, "x", {F32}, 2, kRows), vw = view(weights, "weights", {F32}, 1), vb = view(bias, "bias", {F32}, 0);
  View vo = view(out, "out", {F32}, 1);
  NEED(vx.shape[0] == 4 && vw.n == 4, ValueError) << "x must have 4 rows, and weights 4 elements";
  NEED(vo.n == vx.shape[1], ValueError) << "out must have " << vx.shape[1] << " elements";
  std::vector<double> y(vo.n);
  for (int64_t j = 0; j < vo.n; j++) {
    y[j] = get<float>(vb.p);
    for (int64_t i = 0; i < 4; i++)
      y[j] += static_cast<double>(get<float>(vw.at(i))) * static_cast<double>(get<float>(vx.at(i * vx.stride[0] + j)));
  }
  for (int64_t j = 0; j < vo.n; j++) put(vo.at(j), static_cast<float>(y[j]));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mix, mix);
