// SPDX-License-Identifier: Apache-2.0
// Batched solution of tridiagonal systems (Thomas), one system a row. x may be b.
template <class T>
static void solve_all(int64_t g, int64_t n, const T* dl, int64_t sl, const T* d, int64_t sd, const T* du, int64_t su, const T* b, int64_t sb,
                      T* x, int64_t sx, T* pivots, int64_t threads) {
  std::vector<T> tmp(size_t(g) * n);
  std::vector<T> least(g);
  std::vector<int64_t> bad(size_t(threads), int64_t(-1));
  parallel(g, threads, [&](int64_t begin, int64_t end, int worker) {
#if BUG == 2
    static std::vector<T> c;
    if (int64_t(c.size()) < n) c.resize(n);
#else
    std::vector<T> c(n);
#endif
    for (int64_t s = begin; s < end; ++s) {
      const T *l = dl + s * sl, *m = d + s * sd, *u = du + s * su, *r = b + s * sb;
#if BUG == 3
      T* y = x + s * sx;
#else
      T* y = tmp.data() + s * n;
#endif
      T small = std::numeric_limits<T>::infinity();
#if BUG == 6
      T pivot = m[0];
      if (!(std::abs(pivot) > 0)) { bad[worker] = s; return; }
#else
      T pivot = 0;
#endif
      for (int64_t i = 0; i < n; ++i) {
        pivot = i ? m[i] - l[i] * c[i - 1] : m[0];
#if BUG == 4
        if (i < n - 1 && !(std::abs(pivot) > 0)) { bad[worker] = s; return; }
#else
        if (!(std::abs(pivot) > 0)) { bad[worker] = s; return; }
#endif
        small = std::min(small, T(std::abs(pivot)));
        c[i] = u[i] / pivot;
        y[i] = (i ? r[i] - l[i] * y[i - 1] : r[0]) / pivot;
      }
      for (int64_t i = n - 2; i >= 0; --i) y[i] -= c[i] * y[i + 1];
      least[s] = small;
    }
  });
#if BUG == 5
  int64_t first = bad[0];
#else
  int64_t first = -1;
  for (int64_t s : bad) if (s >= 0 && first < 0) first = s;
#endif
  NEED(first < 0, ValueError) << "system " << first << " has a pivot of zero";
#if BUG != 3
  for (int64_t s = 0; s < g; ++s) std::copy(tmp.begin() + s * n, tmp.begin() + (s + 1) * n, x + s * sx);
#endif
  if (pivots) std::copy(least.begin(), least.end(), pivots);
}

static int64_t row(const TensorView& t) { return t.IsContiguous() ? t.size(1) : t.stride(0); }

template <class T>
static void run(TensorView dl, TensorView d, TensorView du, TensorView b, TensorView x, T* pivots, int64_t threads) {
#if BUG == 1
  int64_t su = row(d);
#else
  int64_t su = row(du);
#endif
  solve_all<T>(b.size(0), b.size(1), data<T>(dl), row(dl), data<T>(d), row(d), data<T>(du), su, data<T>(b), row(b), data<T>(x), row(x), pivots,
               threads);
}

static void tridiag(TensorView dl, TensorView d, TensorView du, TensorView b, TensorView x, ffi::Optional<ffi::Tensor> pivots, int64_t threads) {
  const TensorView* all[] = {&dl, &d, &du, &b, &x};
  const char* names[] = {"dl", "d", "du", "b", "x"};
  for (int i = 0; i < 5; ++i) {
    check(*all[i], names[i], {kF32, kF64}, 2, 1);
    NEED(same(all[i]->dtype(), b.dtype()), TypeError) << names[i] << " must have the data type of b";
    check_n(*all[i], names[i], 0, b.size(0));
    check_n(*all[i], names[i], 1, b.size(1));
  }
  NEED(threads >= 1 && threads <= 16, ValueError) << "threads must be from 1 to 16";
  int64_t g = b.size(0), n = b.size(1);
  NEED(g < 2 || n == 0 || row(x) >= n || row(x) <= -n, ValueError) << "rows of x may not overlap";
  for (int i = 0; i < 3; ++i) NEED(!overlap(x, *all[i]), ValueError) << "x may not overlap " << names[i];
  NEED(!overlap(x, b) || (data<char>(x) == data<char>(b) && (g < 2 || row(x) == row(b))), ValueError) << "x may overlap b only as b itself";
  ffi::Tensor pt;
  void* least = nullptr;
  if (pivots.has_value()) {
    pt = pivots.value();
    TensorView v(pt);
    check(v, "pivots", {b.dtype()}, 1);
    check_n(v, "pivots", 0, g);
    for (int i = 0; i < 5; ++i) NEED(!overlap(v, *all[i]), ValueError) << "pivots may not overlap " << names[i];
    least = data<char>(v);
  }
  if (g == 0) return;
  if (same(b.dtype(), kF32)) run<float>(dl, d, du, b, x, static_cast<float*>(least), threads);
  else run<double>(dl, d, du, b, x, static_cast<double*>(least), threads);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(tridiag, tridiag);
