// SPDX-License-Identifier: Apache-2.0
// Linear interpolation in a table with rising places, as numpy.interp.
static ffi::Tensor interp(ffi::TensorView x_, ffi::TensorView xp_, ffi::TensorView fp_, ffi::Optional<double> left, ffi::Optional<double> right) {
  View x(x_, "x"), xp(xp_, "xp"), fp(fp_, "fp");
  x.cpu().type({F64}).rank(1).contiguous();
  xp.cpu().type({F64}).rank(1).contiguous();
  int64_t n = x.n(0), p = xp.n(0);
  fp.cpu().type({F64}).rank(1).extent(0, p).contiguous();
  NEED(p >= 1, ValueError, "xp: no places");
  const double *a = xp.p<double>(), *f = fp.p<double>();
  for (int64_t i = 1; i < p; ++i) NEED(a[i] > a[i - 1], ValueError, "xp: must rise");
  ffi::Tensor out = make({n}, F64);
  double* o = static_cast<double*>(out.data_ptr());
  for (int64_t i = 0; i < n; ++i) {
    double v = x.p<double>()[i];
    if (v != v) o[i] = v;
    else if (v < a[0]) o[i] = left ? *left : f[0];
    else if (v > a[p - 1]) o[i] = right ? *right : f[p - 1];
    else {
      int64_t j = std::upper_bound(a, a + p, v) - a - 1;
      if (j < 0) j = 0;
      o[i] = j == p - 1 || v == a[j] ? f[j] : f[j] + (f[j + 1] - f[j]) * ((v - a[j]) / (a[j + 1] - a[j]));
    }
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(interp, interp);
