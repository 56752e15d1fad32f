// SPDX-License-Identifier: Apache-2.0
// A step of SGD with momentum for each of some vectors; the result is the norm of all gradients. rates: one for each vector, and one for all.
double Sgd(ffi::Array<ffi::Tensor> params, ffi::Array<ffi::Tensor> grads, ffi::Optional<ffi::Array<ffi::Tensor>> state, ffi::Array<double> rates, ffi::Map<ffi::String, ffi::Any> options) {
  size_t p = params.size();
  NEED(p >= 1, ValueError, "no parameters");
  NEED(grads.size() == p, ValueError, "there must be as many gradients as parameters");
  NEED(!state.has_value() || state.value().size() == p, ValueError, "there must be as many states as parameters");
  NEED(rates.size() == p + 1, ValueError, "there must be one rate more than parameters");
  for (double r : rates) NEED(r >= 0 && r <= 4, ValueError, "a rate is not within 0 and 4");
  double momentum = 0;
  for (auto kv : options) {
    NEED(kv.first == "momentum", ValueError, "unknown option " << std::string(kv.first));
    if (kv.second != nullptr) momentum = kv.second.cast<double>();
  }
  NEED(momentum >= 0 && momentum < 1, ValueError, "momentum must be within 0 and 1");
  std::vector<Arr> w, g, s;
  for (size_t i = 0; i < p; ++i) {
    w.push_back(Check(params[i], "a parameter", {F32}, 1, STRIDED, true));
    g.push_back(Check(grads[i], "a gradient", {F32, BF16}, 1, CONTIGUOUS));
    SameType(g[i], g[0], "a gradient");
    Shaped(w[i], "a parameter", w[0].shape);
    Shaped(g[i], "a gradient", w[0].shape);
    if (state.has_value()) {
      s.push_back(Check(state.value()[i], "a state", {F32}, 1, CONTIGUOUS, true));
      Shaped(s[i], "a state", w[0].shape);
    }
  }
  double sum = 0;
  for (size_t i = 0; i < p; ++i)
    for (int64_t k = 0; k < w[0].numel; ++k) {
      double v = Load(g[i].at(k), g[i].code);
      sum += v * v;
      if (state.has_value()) {
        v += momentum * Load(s[i].at(k), F32);
        Store(s[i].at(k), F32, v);
      }
      Store(w[i].at(k), F32, Load(w[i].at(k), F32) - rates[p] * rates[i] * v);
    }
  return std::sqrt(sum);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sgd, Sgd);

// The sum of two terms, each a factor and a vector.
ffi::Tensor Combine(ffi::Array<ffi::Tuple<double, ffi::Tensor>> terms) {
  NEED(terms.size() == 2, ValueError, "there must be two terms");
  Arr a = Check(terms[0].get<1>(), "a vector", {F32}, 1, ROWS), b = Check(terms[1].get<1>(), "a vector", {F32}, 1, ROWS);
  Shaped(b, "a vector", a.shape);
  double p = terms[0].get<0>(), q = terms[1].get<0>();
  NEED(p >= -4 && p <= 4 && q >= -4 && q <= 4, ValueError, "a factor is not within -4 and 4");
  ffi::Tensor out = New(a.shape, F32);
  for (int64_t i = 0; i < a.numel; ++i) Store(Data(out) + 4 * i, F32, p * Load(a.at(i), F32) + q * Load(b.at(i), F32));
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(combine, Combine);
