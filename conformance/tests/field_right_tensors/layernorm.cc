// SPDX-License-Identifier: Apache-2.0
// Layer norm over the last dimension; rows anywhere, in place if wanted; mean and 1/std as further outputs.
static void layernorm(ffi::TensorView x_, ffi::Optional<ffi::Tensor> gamma_, ffi::Optional<ffi::Tensor> beta_, double eps,
                      ffi::TensorView out_, ffi::Optional<ffi::Tensor> mu_, ffi::Optional<ffi::Tensor> rstd_) {
  View x(x_, "x"), out(out_, "out"), gamma, beta, mu, rstd;
  if (gamma_) gamma = View(*gamma_, "gamma");
  if (beta_) beta = View(*beta_, "beta");
  if (mu_) mu = View(*mu_, "mu");
  if (rstd_) rstd = View(*rstd_, "rstd");
  NEED(eps >= 1e-6 && eps <= 1, ValueError, "eps: expected 1e-6 to 1");
  x.cpu().type({F16, F32, BF16}).min_rank(1).rows();
  int r = x.nd();
  int64_t d = x.n(-1);
  NEED(d >= 1, ValueError, "x: rows without elements");
  out.cpu().same_type(x).rank(r).rows();
  for (int i = 0; i < r; ++i) out.extent(i, x.n(i));
  for (const View* w : {&gamma, &beta})
    if (*w) w->cpu().same_type(x).rank(1).extent(0, d).contiguous();
  for (const View* s : {&mu, &rstd})
    if (*s) {
      s->cpu().type({F32}).rank(r - 1).contiguous();
      for (int i = 0; i < r - 1; ++i) s->extent(i, x.n(i));
    }
  int64_t rows = x.numel() / d;
  with_float(x.dtype(), [&](auto t) {
    using T = decltype(t);
    parallel(rows, rows * d, [&](int64_t a, int64_t b) {
      for (int64_t i = a; i < b; ++i) {
        const T* p = x.p<T>() + x.at(i, r - 1);
        T* o = out.p<T>() + out.at(i, r - 1);
        double s = 0, q = 0;
        for (int64_t j = 0; j < d; ++j) s += get(p[j]);
        s /= d;
        for (int64_t j = 0; j < d; ++j) q += (get(p[j]) - s) * (get(p[j]) - s);
        double k = 1 / std::sqrt(q / d + eps);
        for (int64_t j = 0; j < d; ++j) {
          double y = (get(p[j]) - s) * k;
          if (gamma) y *= get(gamma.p<T>()[j]);
          if (beta) y += get(beta.p<T>()[j]);
          o[j] = put<T>(y);
        }
        if (mu) mu.p<float>()[i] = float(s);
        if (rstd) rstd.p<float>()[i] = float(k);
      }
    });
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(layernorm, layernorm);
