// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients for a symmetric positive definite operator that is given as a callback.
struct Settings {
  double tol = 1e-8;
  int64_t max_iters = 100;
};

static Settings read_options(const Map<String, Any>& options) {
  Settings s;
  for (auto kv : options) {
    if (kv.first == "tol") {
      auto v = kv.second.try_cast<double>();
      REQUIRE(v.has_value(), TypeError, "options: tol must be a float");
      REQUIRE(*v >= 0 && *v <= 1e-4, ValueError, "options: tol must be 0 to 1e-4");
      s.tol = *v;
    } else if (kv.first == "max_iters") {
#if BUG == 5
      auto v = kv.second.try_cast<int64_t>();
      if (v.has_value() && *v > 0) s.max_iters = std::min<int64_t>(*v, 10000);
#else
      auto v = kv.second.as<int64_t>();
      REQUIRE(v.has_value(), TypeError, "options: max_iters must be an int");
      REQUIRE(*v >= 1 && *v <= 10000, ValueError, "options: max_iters must be 1 to 10000");
      s.max_iters = *v;
#endif
    } else {
      TVM_FFI_THROW(ValueError) << "options: unknown key " << kv.first;
    }
  }
  return s;
}

#if BUG == 2
struct Borrow {
  void* p;
  void AllocData(DLTensor* t) { t->data = p; }
  void FreeData(DLTensor*) {}
};
#endif

template <class T>
static std::vector<double> apply_op(const Function& f, const std::vector<double>& v, const char* what) {
  int64_t n = int64_t(v.size());
#if BUG == 2
  std::vector<T> buffer(v.size());
  for (int64_t i = 0; i < n; ++i) buffer[i] = T(v[i]);
  int64_t extent[1] = {n};
  Tensor arg = Tensor::FromNDAlloc(Borrow{buffer.data()}, ffi::ShapeView(extent, 1), sizeof(T) == 4 ? kF32 : kF64,
                                   DLDevice{kDLCPU, 0});
#else
  Tensor arg = alloc({n}, sizeof(T) == 4 ? kF32 : kF64);
  for (int64_t i = 0; i < n; ++i) data<T>(arg)[i] = T(v[i]);
#endif
#if BUG == 3
  TVMFFIAny raw = AnyView(arg).CopyToTVMFFIAny();
  TVMFFIObjectIncRef(raw.v_obj);
  AnyView view = AnyView::CopyFromTVMFFIAny(raw);
  Any got;
  f.CallPacked(&view, 1, &got);
#else
  Any got = f(arg);
#endif
  auto t = got.as<Tensor>();
  REQUIRE(t.has_value(), TypeError, what << " must return a tensor, returned " << got.GetTypeKey());
#if BUG == 1
  View r = check(*t, what, {sizeof(T) == 4 ? kF32 : kF64}, -1);
#else
  View r = check(*t, what, {sizeof(T) == 4 ? kF32 : kF64}, 1);
  REQUIRE(r.shape[0] == n, ValueError, what << " must return " << n << " elements, returned " << r.shape[0]);
#endif
  std::vector<double> out(v.size());
  for (int64_t i = 0; i < n; ++i) out[i] = r.as<T>()[i];
  return out;
}

static double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

template <class T>
static Map<String, Any> solve(const Function& op, const View& b, const View* x0, const Settings& s,
                              const Function& on_iter) {
  int64_t n = b.shape[0];
  // Worked out for b / 2^e, so that squares neither overflow nor vanish.
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    REQUIRE(std::isfinite(b.as<T>()[i]), ValueError, "b must be finite");
    largest = std::max(largest, std::fabs(double(b.as<T>()[i])));
  }
  if (x0)
    for (int64_t i = 0; i < n; ++i) REQUIRE(std::isfinite(x0->as<T>()[i]), ValueError, "x0 must be finite");
  int e = 0;
  if (largest > 0) std::frexp(largest, &e);
  std::vector<double> rhs(n), x(n, 0.0), r(n);
  for (int64_t i = 0; i < n; ++i) rhs[i] = std::ldexp(double(b.as<T>()[i]), -e);
  r = rhs;
  double norm = std::sqrt(dot(rhs, rhs));
  if (x0 && norm > 0) {
    for (int64_t i = 0; i < n; ++i) x[i] = std::ldexp(double(x0->as<T>()[i]), -e);
    std::vector<double> ax = apply_op<T>(op, x, "apply");
    for (int64_t i = 0; i < n; ++i) r[i] -= ax[i];
    if (!(std::sqrt(dot(r, r)) < norm)) {  // a guess that is worse than none
      std::fill(x.begin(), x.end(), 0.0);
      r = rhs;
    }
  }
  double tol = std::max<double>(s.tol, std::numeric_limits<T>::epsilon());
  double rr = dot(r, r);
  int64_t iters = 0;
  bool converged = norm == 0 || std::sqrt(rr) <= tol * norm;
  std::vector<double> p = r;
  while (!converged && iters < s.max_iters) {
#if BUG == 4
    std::vector<double> ap;
    try {
      ap = apply_op<T>(op, p, "apply");
    } catch (const ffi::Error& err) {
      if (err.kind() == "TypeError" || err.kind() == "ValueError") throw;
      break;
    }
#else
    std::vector<double> ap = apply_op<T>(op, p, "apply");
#endif
    double pap = dot(p, ap);
    REQUIRE(pap > 0 && std::isfinite(pap), ValueError, "apply is not positive definite");
    double alpha = rr / pap;
    for (int64_t i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    double next = dot(r, r);
    ++iters;
    converged = std::sqrt(next) <= tol * norm;
    if (on_iter != nullptr) {
      Any go = on_iter(iters, norm > 0 ? std::sqrt(next) / norm : 0.0);
      auto more = go.as<bool>();
      REQUIRE(more.has_value(), TypeError, "on_iter must return a bool, returned " << go.GetTypeKey());
#if BUG != 7
      if (!*more) {
        rr = next;
        break;
      }
#endif
    }
    double beta = next / rr;
    rr = next;
    for (int64_t i = 0; i < n; ++i) p[i] = r[i] + beta * p[i];
  }
#if BUG == 6
  Tensor out = alloc({n}, kF64);
  for (int64_t i = 0; i < n; ++i) data<double>(out)[i] = std::ldexp(x[i], e);
#else
  Tensor out = alloc_like(b);
  for (int64_t i = 0; i < n; ++i) data<T>(out)[i] = T(std::ldexp(x[i], e));
#endif
  return Map<String, Any>{{"x", out},
                          {"iterations", iters},
                          {"residual", norm > 0 ? std::sqrt(rr) / norm : 0.0},
                          {"converged", converged}};
}

static Map<String, Any> cg_solve(Function apply, TensorView b, Optional<Tensor> x0, Map<String, Any> options,
                                 Optional<Function> on_iter) {
  REQUIRE(apply != nullptr, TypeError, "apply must not be None");
  View vb = check(b, "b", {kF32, kF64}, 1);
  View vx;
  bool has = x0.has_value();
  if (has) {
    vx = check(x0.value(), "x0", {vb.dtype}, 1);
    REQUIRE(vx.shape[0] == vb.shape[0], ValueError, "x0 must be as long as b");
  }
  Settings s = read_options(options);
  Function cb = on_iter.has_value() ? on_iter.value() : Function(nullptr);
  if (vb.dtype.bits == 32) return solve<float>(apply, vb, has ? &vx : nullptr, s, cb);
  return solve<double>(apply, vb, has ? &vx : nullptr, s, cb);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cg_solve, cg_solve);
