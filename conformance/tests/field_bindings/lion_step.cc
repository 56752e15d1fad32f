// SPDX-License-Identifier: Apache-2.0
// One step of the Lion optimiser over lists of parameters.
struct Options {
  double lr = 1e-4, beta1 = 0.9, beta2 = 0.99, decay = 0;
  bool maximize = false;
};

static double number(const Any& v, const String& key, double least, double most) {
  auto x = v.try_cast<double>();
  REQUIRE(x.has_value(), TypeError, "options: " << key << " must be a float");
  REQUIRE(*x >= least && *x <= most, ValueError, "options: " << key << " must be " << least << " to " << most);
  return *x;
}

static Options parse(const Map<String, Any>& options) {
  Options o;
  bool has_lr = false;
  for (auto kv : options) {
    const String& key = kv.first;
    if (key == "lr") {
      o.lr = number(kv.second, key, 0, 10);
      has_lr = true;
    } else if (key == "beta1") {
      o.beta1 = number(kv.second, key, 0, 1);
    } else if (key == "beta2") {
      o.beta2 = number(kv.second, key, 0, 1);
    } else if (key == "weight_decay") {
#if BUG == 6
      if (auto x = kv.second.as<double>()) o.decay = *x;
#else
      o.decay = number(kv.second, key, 0, 10);
#endif
    } else if (key == "maximize") {
      auto b = kv.second.as<bool>();
      REQUIRE(b.has_value(), TypeError, "options: maximize must be a bool");
      o.maximize = *b;
    } else {
      TVM_FFI_THROW(ValueError) << "options: unknown key " << key;
    }
  }
  REQUIRE(has_lr, ValueError, "options: lr is missing");
  return o;
}

template <class T>
static void update(const View& p, const View& g, const View& m, const Options& o) {
  T* pp = p.as<T>();
  const T* gp = g.as<T>();
  float* mp = m.as<float>();
  for (int64_t i = 0; i < p.numel; ++i) {
    double grad = o.maximize ? -load(gp[i]) : load(gp[i]);
#if BUG == 4
    mp[i] = float(o.beta2 * mp[i] + (1 - o.beta2) * grad);
#endif
    double c = o.beta1 * mp[i] + (1 - o.beta1) * grad;
    double u = std::isnan(c) ? c : double((c > 0) - (c < 0));
    store(pp[i], load(pp[i]) * (1 - o.lr * o.decay) - o.lr * u);
#if BUG != 4
    mp[i] = float(o.beta2 * mp[i] + (1 - o.beta2) * grad);
#endif
  }
}

static int64_t lion_step(Array<Tensor> params, Array<Optional<Tensor>> grads, Array<Tensor> moments,
                         Map<String, Any> options, Optional<Tensor> found_inf) {
#if BUG == 5
  static std::mutex mu;
  static std::unordered_map<const void*, Options> parsed;
  Options o;
  {
    std::lock_guard<std::mutex> hold(mu);
    auto it = parsed.find(options.get());
    if (it == parsed.end()) it = parsed.emplace(options.get(), parse(options)).first;
    o = it->second;
  }
#else
  Options o = parse(options);
#endif
  int64_t n = int64_t(params.size());
#if BUG == 1
  REQUIRE(int64_t(grads.size()) == n, ValueError, "grads must be as many as params");
#else
  REQUIRE(int64_t(grads.size()) == n && int64_t(moments.size()) == n, ValueError,
          "grads and moments must be as many as params");
#endif
  std::vector<View> p(n), g(n), m(n);
  DLDataType type = kF32;
  auto look = [&](int64_t i) {
    p[i] = check(params[i], "params", {kF32, kF16, kBF16}, -1);
    if (i == 0) type = p[0].dtype;
#if BUG != 3
    REQUIRE(same_type(p[i].dtype, type), TypeError, "params must have one data type");
#endif
    m[i] = check(moments[i], "moments", {kF32}, -1);
    REQUIRE(same_shape(m[i], p[i]), ValueError, "moments[" << i << "] must have the shape of params[" << i << "]");
    if (!grads[i].has_value()) return;
    g[i] = check(grads[i].value(), "grads", {p[i].dtype}, -1);
    REQUIRE(same_shape(g[i], p[i]), ValueError, "grads[" << i << "] must have the shape of params[" << i << "]");
  };
#if BUG != 2
  for (int64_t i = 0; i < n; ++i) look(i);
#endif
  if (found_inf.has_value()) {
    View f = check(found_inf.value(), "found_inf", {kF32}, 1);
    REQUIRE(f.shape[0] == 1, ValueError, "found_inf must have one element");
    if (f.as<float>()[0] != 0) return 0;
  }
  int64_t done = 0;
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 2
    look(i);
#endif
    if (!grads[i].has_value()) continue;
    if (same_type(type, kF32))
      update<float>(p[i], g[i], m[i], o);
    else if (same_type(type, kF16))
      update<Half>(p[i], g[i], m[i], o);
    else
      update<BF16>(p[i], g[i], m[i], o);
    ++done;
  }
  return done;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lion_step, lion_step);
