// SPDX-License-Identifier: Apache-2.0
// out = alpha * x * scale + beta, elementwise.
static void blend(ffi::TensorView x, ffi::TensorView scale, double alpha, ffi::Optional<double> beta, ffi::TensorView out) {
  View vx = view(x, "x", {F16, F32, F64}, -1, kStrided);
  View vs = view(scale, "scale", {vx.dt}, 1);
  View vo = view(out, "out", {vx.dt}, vx.rank());
  NEED(vx.rank() >= 1, ValueError) << "x must have a dimension";
  int64_t d = vx.shape.back();
  NEED(vs.n == d || vs.n == 1, ValueError) << "scale must have " << d << " elements or one";
  NEED(vo.shape == vx.shape, ValueError) << "out must have the shape of x";
  double b = beta.has_value() ? *beta : 0.0;
  NEED(b >= -1000 && b <= 1000, ValueError) << "beta must be within [-1000, 1000]";
  if (vx.n == 0) return;
  std::vector<double> rows(vx.n);
  parallel(vx.n / d, (1 << 15) / d + 2, [&](int64_t from, int64_t to) {
    for (int64_t r = from; r < to; r++) {
      int64_t rest = r, base = 0;
      for (int i = vx.rank() - 1; i-- > 0;) {
        base += rest % vx.shape[i] * vx.stride[i];
        rest /= vx.shape[i];
      }
      for (int64_t j = 0; j < d; j++) {
        double v = load(vx.dt, vx.at(base + j * vx.stride.back()));
        rows[r * d + j] = alpha * v * load(vs.dt, vs.at(vs.n == 1 ? 0 : j)) + b;
      }
    }
  });
  for (int64_t i = 0; i < vx.n; i++) store(vo.dt, vo.at(i), rows[i]);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(blend, blend);

// The sum of a matrix's diagonal, or of the magnitudes on it, in order.
static double trace(ffi::TensorView x, int64_t sign, ffi::Optional<ffi::String> mode) {
  View v = view(x, "x", {F32, F64}, 2, kStrided);
  NEED(v.shape[0] == v.shape[1], ValueError) << "x must be square";
  NEED(sign == 1 || sign == -1, ValueError) << "sign must be 1 or -1";
  NEED(!mode.has_value() || *mode == "abs", ValueError) << "mode must be abs or None";
  double sum = 0;
  for (int64_t i = 0; i < v.shape[0]; i++) {
    double e = load(v.dt, v.at(i * (v.stride[0] + v.stride[1])));
    sum += mode.has_value() ? std::fabs(e) : e;
  }
  return static_cast<double>(sign) * sum;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(trace, trace);
