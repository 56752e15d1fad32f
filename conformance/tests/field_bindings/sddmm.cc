// SPDX-License-Identifier: Apache-2.0
// Sampled dense-dense product over a CSR pattern, as in graph attention.
template <class T, class I>
static void run(const View& ptr, const View& idx, const View& a, const View& b, const View* mask, double alpha,
                bool l2, View& out, int threads) {
  const I* ip = ptr.as<I>();
  const I* ix = idx.as<I>();
  int64_t m = a.shape[0], k = a.shape[1], nnz = idx.shape[0];
  int64_t sa = a.stride0();
#if BUG == 2
  int64_t sb = k;
#else
  int64_t sb = b.stride0();
#endif
  T* o = out.as<T>();
#if BUG == 6
  if (alpha == 0.0) return;
#endif
  auto rows = [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const T* x = a.as<T>() + r * sa;
      for (int64_t e = int64_t(ip[r]); e < int64_t(ip[r + 1]); ++e) {
        const T* y = b.as<T>() + int64_t(ix[e]) * sb;
        double s = 0;
        if (l2) {
          for (int64_t j = 0; j < k; ++j) {
            double d = load(x[j]) - load(y[j]);
            s += d * d;
          }
        } else {
          for (int64_t j = 0; j < k; ++j) s += load(x[j]) * load(y[j]);
        }
        s *= alpha;
        if (mask) {
#if BUG == 3
          if constexpr (std::is_same_v<T, BF16>) {
            s *= half_to_float(mask->as<Half>()[e].u);
          } else {
            s *= load(mask->as<T>()[e]);
          }
#else
          s *= load(mask->as<T>()[e]);
#endif
        }
        store(o[e], s);
      }
    }
  };
  if (nnz * std::max<int64_t>(k, 1) < 4096) {
    rows(0, m);
  } else {
#if BUG == 5
    int64_t per = m / threads;
    parallel_blocks(threads, threads, [&](int64_t b, int64_t e) { rows(b * per, e * per); });
#else
    parallel_blocks(m, threads, rows);
#endif
  }
}

template <class T>
static void pick_index(const View& ptr, const View& idx, const View& a, const View& b, const View* mask, double alpha,
                       bool l2, View& out, int threads) {
  if (ptr.dtype.bits == 32)
    run<T, int32_t>(ptr, idx, a, b, mask, alpha, l2, out, threads);
  else
    run<T, int64_t>(ptr, idx, a, b, mask, alpha, l2, out, threads);
}

template <class I>
static void check_csr(const View& ptr, const View& idx, int64_t cols, [[maybe_unused]] int64_t rows) {
  const I* p = ptr.as<I>();
  int64_t n = ptr.shape[0], nnz = idx.shape[0];
  REQUIRE(p[0] == 0 && int64_t(p[n - 1]) == nnz, ValueError, "indptr must go from 0 to the number of indices");
  for (int64_t i = 1; i < n; ++i) REQUIRE(p[i] >= p[i - 1], ValueError, "indptr must not decrease");
  const I* x = idx.as<I>();
#if BUG == 1
  int64_t limit = std::max(rows, cols);
#else
  int64_t limit = cols;
#endif
  for (int64_t i = 0; i < nnz; ++i)
    REQUIRE(x[i] >= 0 && int64_t(x[i]) < limit, ValueError, "indices[" << i << "] is out of range");
}

static void sddmm(TensorView indptr, TensorView indices, TensorView a, TensorView b, Optional<Tensor> mask,
                  double alpha, String op, int64_t threads, TensorView out) {
  View p = check(indptr, "indptr", {kI32, kI64}, 1);
  View x = check(indices, "indices", {p.dtype}, 1);
  View va = check(a, "a", {kF16, kBF16, kF32, kF64}, 2, kRows);
  View vb = check(b, "b", {va.dtype}, 2, kRows);
  View vo = check(out, "out", {va.dtype}, 1);
  REQUIRE(p.shape[0] == va.shape[0] + 1, ValueError, "indptr must have an element more than a has rows");
  REQUIRE(vb.shape[1] == va.shape[1], ValueError, "a and b must have the same number of columns");
  REQUIRE(vo.shape[0] == x.shape[0], ValueError, "out must be as long as indices");
  View vm;
  bool has = mask.has_value();
  if (has) {
    vm = check(mask.value(), "mask", {va.dtype}, 1);
    REQUIRE(vm.shape[0] == x.shape[0], ValueError, "mask must be as long as indices");
#if BUG == 4
    vm.p = static_cast<char*>(mask.value().data_ptr());
#endif
  }
  REQUIRE(std::isfinite(alpha), ValueError, "alpha must be finite");
  REQUIRE(op == "dot" || op == "l2", ValueError, "op must be dot or l2");
  REQUIRE(threads >= 1 && threads <= 16, ValueError, "threads must be 1 to 16");
  if (p.dtype.bits == 32)
    check_csr<int32_t>(p, x, vb.shape[0], va.shape[0]);
  else
    check_csr<int64_t>(p, x, vb.shape[0], va.shape[0]);
  bool l2 = op == "l2";
  const View* mp = has ? &vm : nullptr;
  int nt = int(threads);
  if (same_type(va.dtype, kF16))
    pick_index<Half>(p, x, va, vb, mp, alpha, l2, vo, nt);
  else if (same_type(va.dtype, kBF16))
    pick_index<BF16>(p, x, va, vb, mp, alpha, l2, vo, nt);
  else if (same_type(va.dtype, kF32))
    pick_index<float>(p, x, va, vb, mp, alpha, l2, vo, nt);
  else
    pick_index<double>(p, x, va, vb, mp, alpha, l2, vo, nt);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sddmm, sddmm);
