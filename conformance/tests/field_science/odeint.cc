// SPDX-License-Identifier: Apache-2.0
// Integrates dy/dt = f(t, y) from t0 to t1 with `steps` equal steps of a fixed-step method ("euler", "midpoint", "rk4").
// f gets a tensor of its own each time, and returns one of the same type and shape, in any memory.
// on_step(i, y), if given, is called after each step and returns whether to go on; the number of steps made is returned.
// `out` is written at the end only: an error leaves it as it was.
namespace {

template <typename T>
struct Solver {
  const Function& f;
  int64_t n;
  DLDataType dtype;

  Tensor wrap(const T* y) {
    Tensor t = alloc({n}, dtype);
    if (n) std::memcpy(data<T>(t, "y"), y, n * sizeof(T));
    return t;
  }

  // f(t, y), its values copied into k
  void eval(double t, const T* y, std::vector<T>* k) {
    Tensor arg = wrap(y);
#if BUG == 5
    TVMFFIObjectIncRef(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(arg));
#endif
    const Any res = f(t, arg);
    const std::optional<Tensor> got = res.as<Tensor>();
    REQUIRE(got.has_value() && got->defined(), TypeError, "f must return a tensor");
    check_cpu(*got, "the result of f");
#if BUG != 2
    REQUIRE(same(got->dtype(), dtype), TypeError, "the result of f must have the type of y0");
#endif
    check_rank(*got, 1, "the result of f");
#if BUG != 1
    check_extent(*got, 0, n, "the result of f");
#endif
#if BUG != 7
    check_contiguous(*got, "the result of f");
#endif
#if BUG == 4
    const T* p = static_cast<const T*>(got->data_ptr());
#else
    const T* p = data<T>(*got, "the result of f");
#endif
    std::copy(p, p + n, k->begin());
  }
};

template <typename T>
int64_t run(const Function& f, TensorView y0, double t0, double t1, int64_t steps, TensorView out,
            const String& method, const Optional<Function>& on_step) {
  const int64_t n = y0.size(0);
  const T* start = data<T>(y0, "y0");
  T* o = data<T>(out, "out");
  Solver<T> s{f, n, y0.dtype()};
  std::vector<T> y(start, start + n), z(n), k1(n), k2(n), k3(n), k4(n);
  const double h = (t1 - t0) / static_cast<double>(steps);
  int64_t done = 0;
  for (int64_t i = 0; i < steps; ++i) {
    const double t = t0 + h * static_cast<double>(i);
    auto shifted = [&](double by, const std::vector<T>& k) {
      for (int64_t j = 0; j < n; ++j) z[j] = static_cast<T>(y[j] + by * k[j]);
      return z.data();
    };
    s.eval(t, y.data(), &k1);
    if (method == "euler") {
      for (int64_t j = 0; j < n; ++j) y[j] = static_cast<T>(y[j] + h * k1[j]);
    } else if (method == "midpoint") {
      s.eval(t + h / 2, shifted(h / 2, k1), &k2);
      for (int64_t j = 0; j < n; ++j) y[j] = static_cast<T>(y[j] + h * k2[j]);
    } else {
      s.eval(t + h / 2, shifted(h / 2, k1), &k2);
      s.eval(t + h / 2, shifted(h / 2, k2), &k3);
      s.eval(t + h, shifted(h, k3), &k4);
      for (int64_t j = 0; j < n; ++j) {
        y[j] = static_cast<T>(y[j] + (h / 6 * k1[j] + h / 3 * k2[j] + h / 3 * k3[j] + h / 6 * k4[j]));
      }
    }
    ++done;
#if BUG == 6
    std::copy(y.begin(), y.end(), o);
#endif
    if (on_step.has_value()) {
#if BUG == 3
      try {
        if (!(*on_step)(i, s.wrap(y.data())).template cast<bool>()) break;
      } catch (const ffi::Error&) {
        // an observer must not stop the integration
      }
#else
      const Any go = (*on_step)(i, s.wrap(y.data()));
      const std::optional<bool> yes = go.as<bool>();
      REQUIRE(yes.has_value(), TypeError, "on_step must return a bool");
      if (!*yes) break;
#endif
    }
  }
  std::copy(y.begin(), y.end(), o);
  return done;
}

int64_t odeint(Optional<Function> f, TensorView y0, double t0, double t1, int64_t steps, TensorView out, String method,
               Optional<Function> on_step) {
  REQUIRE(f.has_value() && *f != nullptr, TypeError, "f must be a function");
  check_cpu(y0, "y0");
  check_cpu(out, "out");
  check_rank(y0, 1, "y0");
  check_rank(out, 1, "out");
  check_extent(out, 0, y0.size(0), "out");
  check_contiguous(y0, "y0");
  check_contiguous(out, "out");
  REQUIRE(same(y0.dtype(), kF32) || same(y0.dtype(), kF64), TypeError, "y0 must be float32 or float64");
  REQUIRE(same(out.dtype(), y0.dtype()), TypeError, "out must have the type of y0");
  REQUIRE(t0 >= -10 && t0 <= 10 && t1 >= -10 && t1 <= 10, ValueError, "t0 and t1 must be in -10..10");
  REQUIRE(t1 >= t0, ValueError, "t1 must not be before t0");
  REQUIRE(steps >= 1 && steps <= 1000, ValueError, "steps must be in 1..1000");
  REQUIRE(method == "euler" || method == "midpoint" || method == "rk4", ValueError, "unknown method " << method);
  if (y0.dtype().bits == 64) return run<double>(*f, y0, t0, t1, steps, out, method, on_step);
  return run<float>(*f, y0, t0, t1, steps, out, method, on_step);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(odeint, odeint);
