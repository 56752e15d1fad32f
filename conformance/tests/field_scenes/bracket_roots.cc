// SPDX-License-Identifier: Apache-2.0
// bracket_roots(f, lo, hi, tol, max_iter) -> {"root", "iterations"}: bisection of all brackets at once; f is called with a tensor
// of points of its own for each call, and returns a tensor of values.
using namespace set;

template <class T>
struct Solver {
  Function f;
  int64_t n;
  DLDataType dtype;

  // signs of f at x
  std::vector<int8_t> signs(const std::vector<T>& x) const {
    Tensor arg = alloc({n}, dtype);
    std::copy(x.begin(), x.end(), static_cast<T*>(arg.data_ptr()));
#if BUG == 3
    TVMFFIObjectIncRef(const_cast<Object*>(static_cast<const ObjectRef&>(arg).get()));
#endif
    Any value = f(arg);
    auto r = value.as<Tensor>();
    REQUIRE(r.has_value() && r->defined(), TypeError, "f must return a tensor");
    TensorView v(*r);
#if BUG == 1
    need_basic(v, "the result of f", 1);
    need_contiguous(v, "the result of f");
#else
    need(v, "the result of f", dtype, 1);
#endif
#if BUG == 7
    REQUIRE(v.size(0) >= 1, ValueError, "f must return one value for each point");
#else
    REQUIRE(v.size(0) == n, ValueError, "f must return one value for each point");
#endif
    std::vector<int8_t> s(n);
    for (int64_t i = 0; i < n; ++i) {
      T y = ptr<T>(v)[i];
#if BUG != 6
      REQUIRE(!std::isnan(y), ValueError, "f returned NaN");
#endif
      s[i] = y < 0 ? -1 : y > 0 ? 1 : 0;
    }
    return s;
  }
};

template <class T>
static Map<String, Any> solve(const Function& f, const TensorView& lo, const TensorView& hi, double tol, int64_t max_iter) {
  const int64_t n = lo.size(0);
#if BUG == 4
  T *a = ptr<T>(lo), *b = ptr<T>(hi);
#else
  std::vector<T> a(ptr<T>(lo), ptr<T>(lo) + n), b(ptr<T>(hi), ptr<T>(hi) + n);
#endif
  for (int64_t i = 0; i < n; ++i)
    REQUIRE(std::isfinite(a[i]) && std::isfinite(b[i]) && a[i] < b[i], ValueError, "lo must be less than hi");
  int64_t iterations = 0;
  std::vector<T> mid(n);
  if (n > 0) {
    Solver<T> solver{f, n, lo.dtype()};
    std::vector<int8_t> sa = solver.signs(std::vector<T>(&a[0], &a[0] + n)), sb = solver.signs(std::vector<T>(&b[0], &b[0] + n));
    for (int64_t i = 0; i < n; ++i) REQUIRE(sa[i] * sb[i] <= 0, ValueError, "f has no change of sign in bracket " << i);
    for (;; ++iterations) {
      bool done = true;
      for (int64_t i = 0; i < n; ++i) {
        if (sa[i] == 0) b[i] = a[i];
        if (sb[i] == 0) a[i] = b[i];
        mid[i] = a[i] + (b[i] - a[i]) / 2;
        if (double(b[i] - a[i]) > tol && mid[i] != a[i] && mid[i] != b[i]) done = false;
      }
      if (done) break;
      REQUIRE(iterations < max_iter, RuntimeError, "no convergence in " << max_iter << " iterations");
      std::vector<int8_t> sm;
#if BUG == 2
      try {
        sm = solver.signs(mid);
      } catch (const std::exception&) {
        break;
      }
#else
      sm = solver.signs(mid);
#endif
      for (int64_t i = 0; i < n; ++i) {
        if (sm[i] == 0) {
          a[i] = b[i] = mid[i];
          sa[i] = sb[i] = 0;
        } else if (sm[i] == sb[i]) {
          b[i] = mid[i];
        } else {
          a[i] = mid[i];
          sa[i] = sm[i];
        }
      }
    }
  }
  Tensor root = alloc({n}, lo.dtype());
  if (n > 0) std::copy(mid.begin(), mid.end(), static_cast<T*>(root.data_ptr()));
  return Map<String, Any>{{"root", root}, {"iterations", iterations}};
}

static Map<String, Any> bracket_roots(Function f, TensorView lo, TensorView hi, double tol, int64_t max_iter) {
  need_some(f, "f");
  DLDataType t = lo.dtype();
  REQUIRE(same(t, kF32) || same(t, kF64), TypeError, "lo must be float32 or float64");
  need(lo, "lo", t, 1);
  need(hi, "hi", t, 1);
  REQUIRE(lo.size(0) == hi.size(0), ValueError, "lo and hi must have the same length");
#if BUG == 5
  REQUIRE(!(tol < 0), ValueError, "tol must be at least 0");
#else
  REQUIRE(tol >= 0 && tol <= 1e-7, ValueError, "tol must be from 0 to 1e-7");
#endif
  REQUIRE(max_iter >= 1 && max_iter <= 2000, ValueError, "max_iter must be from 1 to 2000");
  return same(t, kF32) ? solve<float>(f, lo, hi, tol, max_iter) : solve<double>(f, lo, hi, tol, max_iter);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bracket_roots, bracket_roots);
