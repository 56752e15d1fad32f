// SPDX-License-Identifier: Apache-2.0
// q = clip(round(x / scale) + zero), and how many elements were clipped; NaN becomes zero.
static ffi::Tuple<ffi::Tensor, int64_t> quantize(ffi::TensorView x, double scale, DLDataType qtype, int64_t zero) {
  View vx = view(x, "x", {F32}, 2);
  NEED(scale >= 0.001 && scale <= 1000, ValueError) << "scale must be within [0.001, 1000]";
  NEED(one_of(qtype, {I8, U8}), TypeError) << "qtype must be int8 or uint8";
  double lo = qtype == I8 ? -128 : 0, hi = qtype == I8 ? 127 : 255;
  NEED(zero >= lo && zero <= hi, ValueError) << "zero must be a value of " << qtype;
  ffi::Tensor q = alloc(vx.shape, qtype);
  View vq = view(q, "q", {qtype});
  int64_t clipped = 0;
  for (int64_t i = 0; i < vx.n; i++) {
    double v = get<float>(vx.at(i));
    v = std::isnan(v) ? static_cast<double>(zero) : std::nearbyint(v / scale) + static_cast<double>(zero);
    if (v < lo || v > hi) {
      clipped++;
      v = v < lo ? lo : hi;
    }
    store(qtype, vq.at(i), v);
  }
  return ffi::Tuple<ffi::Tensor, int64_t>(q, clipped);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(quantize, quantize);

static void dequantize(ffi::TensorView q, ffi::TensorView scale, ffi::Optional<ffi::TensorView> zero, ffi::TensorView out) {
  View vq = view(q, "q", {I8, U8}, 2);
  View vs = view(scale, "scale", {F32}, 1);
  View vo = view(out, "out", {BF16, F16}, 2);
  int64_t n = vq.shape[0], d = vq.shape[1];
  NEED(vs.n == n || vs.n == 1, ValueError) << "scale must have " << n << " elements or one";
  NEED(vo.shape == vq.shape, ValueError) << "out must have the shape of q";
  View vz;
  if (zero.has_value()) {
    vz = view(*zero, "zero", {vq.dt}, 1);
    NEED(vz.n == n, ValueError) << "zero must have " << n << " elements";
  }
  for (int64_t i = 0; i < (vq.n > 0 ? n : 0); i++)
    for (int64_t j = 0; j < d; j++) {
      double v = load(vq.dt, vq.at(i * d + j)) - (zero.has_value() ? load(vz.dt, vz.at(i)) : 0);
      store(vo.dt, vo.at(i * d + j), v * get<float>(vs.at(vs.n == 1 ? 0 : i)));
    }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dequantize, dequantize);
