// SPDX-License-Identifier: Apache-2.0
// One step of LARS (layer-wise adaptive rates) over lists of parameters.
static float load(const TensorView& t, int64_t i) {
  if (same(t.dtype(), kF32)) return data<float>(t)[i];
#if BUG == 2
  return f16_to_f(data<uint16_t>(t)[i]);
#else
  return bf16_to_f(data<uint16_t>(t)[i]);
#endif
}
static float load_p(const TensorView& t, int64_t i) {
  return same(t.dtype(), kF32) ? data<float>(t)[i] : bf16_to_f(data<uint16_t>(t)[i]);
}
static double option(const ffi::Map<ffi::String, ffi::Any>& options, const char* key, double otherwise) {
  auto it = options.find(key);
  if (it == options.end()) return otherwise;
  auto v = (*it).second.try_cast<double>();
  NEED(v.has_value(), TypeError) << "option " << key << " must be a number";
  NEED(*v >= 0 && std::isfinite(*v), ValueError) << "option " << key << " must be finite and not negative";
  return *v;
}

static void check_momentum(const TensorView& m, const TensorView& p) {
  check(m, "momenta", {kF32}, 1);
  check_n(m, "momenta", 0, p.size(0));
}

// returns the local rates, float64
static ffi::Tensor lars_step(ffi::Array<ffi::Tensor> params, ffi::Array<ffi::Tensor> grads,
                             ffi::Optional<ffi::Array<ffi::Tensor>> momenta, ffi::Map<ffi::String, ffi::Any> options) {
  for (const auto& kv : options) {
    ffi::String k = kv.first;
    NEED(k == "lr" || k == "momentum" || k == "weight_decay" || k == "trust", ValueError) << "unknown option " << k;
  }
  NEED(options.count("lr"), ValueError) << "option lr is missing";
  double lr = option(options, "lr", 0), mu = option(options, "momentum", 0.9);
#if BUG == 3
  double wd = option(options, "weight_decay", 1e-2);
#else
  double wd = option(options, "weight_decay", 0);
#endif
  double trust = option(options, "trust", 0.01);
  NEED(mu < 1, ValueError) << "option momentum must be below 1";
  size_t k = params.size();
  NEED(grads.size() == k, ValueError) << "as many gradients as parameters are needed";
  NEED(!momenta.has_value() || momenta.value().size() == k, ValueError) << "as many momenta as parameters are needed";
  std::vector<TensorView> p, g, m;
  for (size_t i = 0; i < k; ++i) {
    ffi::Tensor pt = params[i], gt = grads[i];
    NEED(pt.defined() && gt.defined(), TypeError) << "None among the parameters or gradients";
    p.emplace_back(pt);
    g.emplace_back(gt);
    check(p[i], "params", {kF32, kBF16}, 1);
    NEED(same(p[i].dtype(), p[0].dtype()), TypeError) << "parameters must have one data type";
    check(g[i], "grads", {kF32, kBF16}, 1);
    NEED(same(g[i].dtype(), p[0].dtype()), TypeError) << "gradients must have the data type of the parameters";
#if BUG == 1
    check_n(g[i], "grads", 0, g[i].size(0) < p[i].size(0) && i > 0 ? g[i].size(0) : p[i].size(0));
#else
    check_n(g[i], "grads", 0, p[i].size(0));
#endif
    if (momenta.has_value()) {
      ffi::Tensor mt = momenta.value()[i];
      NEED(mt.defined(), TypeError) << "None among the momenta";
      m.emplace_back(mt);
#if BUG != 4
      check_momentum(m[i], p[i]);
#endif
    }
  }
  std::vector<TensorView> all(p);
  all.insert(all.end(), m.begin(), m.end());
  size_t written = all.size();
  all.insert(all.end(), g.begin(), g.end());
  for (size_t i = 0; i < written; ++i)
    for (size_t j = i + 1; j < all.size(); ++j)
      NEED(all[i].ndim() != 1 || all[j].ndim() != 1 || !overlap(all[i], all[j]), ValueError) << "tensors that are written may not overlap others";

  ffi::Tensor rates = alloc({int64_t(k)}, kF64);
  double* rate = data<double>(rates);
#if BUG == 6
  static std::vector<double> work;
#else
  std::vector<double> work;
#endif
  for (size_t i = 0; i < k; ++i) {
#if BUG == 4
    if (momenta.has_value()) check_momentum(m[i], p[i]);
#endif
    int64_t n = p[i].size(0);
    work.assign(n, 0);
    double pp = 0, gg = 0;
    for (int64_t j = 0; j < n; ++j) {
      double a = load_p(p[i], j), b = load(g[i], j);
      pp += a * a;
      gg += b * b;
      work[j] = b + wd * a;
    }
    pp = std::sqrt(pp);
    gg = std::sqrt(gg);
    double local = pp > 0 && gg > 0 ? trust * pp / (gg + wd * pp + 1e-8) : 1;
    rate[i] = local;
#if BUG == 5
    float* mom = m.empty() ? nullptr : static_cast<float*>(m[i].data_ptr());
#else
    float* mom = m.empty() ? nullptr : data<float>(m[i]);
#endif
    for (int64_t j = 0; j < n; ++j) {
      double step = lr * local * work[j];
      if (mom) { step += mu * mom[j]; mom[j] = float(step); }
      float v = float(load_p(p[i], j) - step);
      if (same(p[i].dtype(), kF32)) data<float>(p[i])[j] = v;
      else data<uint16_t>(p[i])[j] = f_to_bf16(v);
    }
  }
  return rates;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lars_step, lars_step);
