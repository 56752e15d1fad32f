// SPDX-License-Identifier: Apache-2.0
// Roots of a function that is called with whole vectors, by bisection.
template <class T>
static std::vector<T> evaluate(const ffi::Function& f, const std::vector<T>& x, DLDataType type) {
  int64_t n = int64_t(x.size());
#if BUG == 3
  ffi::Tensor* arg_keep = new ffi::Tensor(alloc({n}, type));
  ffi::Tensor arg = *arg_keep;
#else
  ffi::Tensor arg = alloc({n}, type);
#endif
  std::copy(x.begin(), x.end(), data<T>(arg));
  ffi::Any r = f(arg);
#if BUG == 3
  if (r.type_index() == ffi::TypeIndex::kTVMFFITensor) delete arg_keep;
#endif
  auto t = r.try_cast<ffi::Tensor>();
  NEED(t.has_value() && t->defined(), TypeError) << "the function must return a tensor";
  TensorView v(*t);
  check(v, "the function's result", {type}, 1);
#if BUG != 1
  check_n(v, "the function's result", 0, n);
#endif
  std::vector<T> y(n);
  if (n) std::memcpy(y.data(), data<T>(v), n * sizeof(T));
  return y;
}

template <class T>
static int64_t solve(const ffi::Function& f, std::vector<T>& lo, std::vector<T>& hi, DLDataType type, double xtol, int64_t max_iter,
                     const ffi::Optional<ffi::Function>& on_step) {
  int64_t n = int64_t(lo.size());
  std::vector<T> fl = evaluate(f, lo, type), fh = evaluate(f, hi, type);
  for (int64_t i = 0; i < n; ++i) {
    NEED((fl[i] <= 0 && fh[i] >= 0) || (fl[i] >= 0 && fh[i] <= 0), ValueError) << "no sign change in bracket " << i;
    if (fl[i] == 0) hi[i] = lo[i];
    else if (fh[i] == 0) lo[i] = hi[i];
  }
  int64_t it = 0;
  for (;; ++it) {
    int64_t active = 0;
    std::vector<T> mid(n);
    for (int64_t i = 0; i < n; ++i) {
      mid[i] = lo[i] + (hi[i] - lo[i]) / 2;
      active += std::abs(hi[i] - lo[i]) > std::max(xtol, 4 * double(std::numeric_limits<T>::epsilon()) * std::abs(double(mid[i])));
    }
    if (active == 0) break;
    NEED(it < max_iter, RuntimeError) << "no convergence after " << it << " iterations";
    if (on_step.has_value()) {
#if BUG == 2
      bool stop = false;
      try { stop = on_step.value()(it, active).template cast<bool>(); } catch (const ffi::Error&) {}
#else
      ffi::Any r = on_step.value()(it, active);
      NEED(r.type_index() == ffi::TypeIndex::kTVMFFIBool, TypeError) << "on_step must return a bool";
      bool stop = r.cast<bool>();
#endif
      if (stop) break;
    }
    std::vector<T> fm = evaluate(f, mid, type);
    for (int64_t i = 0; i < n; ++i) {
#if BUG != 6
      NEED(fm[i] == fm[i], ValueError) << "the function is not a number in bracket " << i;
#endif
      if (fm[i] == 0) lo[i] = hi[i] = mid[i];
      else if ((fm[i] < 0) == (fl[i] < 0)) lo[i] = mid[i];
      else hi[i] = mid[i];
    }
  }
  for (int64_t i = 0; i < n; ++i) lo[i] = lo[i] + (hi[i] - lo[i]) / 2;
  return it;
}

template <class T>
static ffi::Tuple<ffi::Tensor, int64_t> start(const ffi::Function& f, TensorView lo, TensorView hi, DLDataType type, double xtol,
                                              int64_t max_iter, const ffi::Optional<ffi::Function>& on_step) {
  int64_t n = lo.size(0);
  const T* a = data<T>(lo);
#if BUG == 5
  const T* b = static_cast<const T*>(hi.data_ptr());
#else
  const T* b = data<T>(hi);
#endif
  std::vector<T> l(a, a + n), h(b, b + n);
  for (int64_t i = 0; i < n; ++i) NEED(std::isfinite(l[i]) && std::isfinite(h[i]) && l[i] <= h[i], ValueError) << "lo must be at most hi";
#if BUG == 4
  int64_t it;
  try { it = solve<T>(f, l, h, type, xtol, max_iter, on_step); }
  catch (const ffi::Error& e) { TVM_FFI_THROW(RuntimeError) << "find_roots: failed in the function: " << e.message(); }
#else
  int64_t it = solve<T>(f, l, h, type, xtol, max_iter, on_step);
#endif
  ffi::Tensor out = alloc({n}, type);
  std::copy(l.begin(), l.end(), data<T>(out));
  return ffi::Tuple<ffi::Tensor, int64_t>(out, it);
}

static ffi::Tuple<ffi::Tensor, int64_t> find_roots(ffi::Function f, TensorView lo, TensorView hi, double xtol, int64_t max_iter,
                                                   ffi::Optional<ffi::Function> on_step) {
  NEED(f.defined(), TypeError) << "f must be a function";
  check(lo, "lo", {kF32, kF64}, 1);
  check(hi, "hi", {kF32, kF64}, 1);
  NEED(same(lo.dtype(), hi.dtype()), TypeError) << "lo and hi must have one data type";
  check_n(hi, "hi", 0, lo.size(0));
  NEED(xtol > 0 && xtol <= 1e-4, ValueError) << "xtol must be above 0, and at most 1e-4";
  NEED(max_iter >= 0 && max_iter <= 1000, ValueError) << "max_iter must be from 0 to 1000";
#if BUG == 7
  static thread_local int depth = 0;
  NEED(depth < 4, RuntimeError) << "find_roots calls itself too often";
  ++depth;
#endif
  DLDataType t = lo.dtype();
  auto r = same(t, kF32) ? start<float>(f, lo, hi, t, xtol, max_iter, on_step) : start<double>(f, lo, hi, t, xtol, max_iter, on_step);
#if BUG == 7
  --depth;
#endif
  return r;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(find_roots, find_roots);
