// SPDX-License-Identifier: Apache-2.0
// PageRank of a graph in CSR form, with optional weights, personalization and a callback for progress.
using OptT = ffi::Optional<ffi::Tensor>;
using Out = ffi::Tuple<ffi::Tensor, int64_t, double>;

static int64_t index_at(const TensorView& t, int64_t i) {
  return same(t.dtype(), kI32) ? int64_t(data<int32_t>(t)[i]) : data<int64_t>(t)[i];
}
static double weight_at(const TensorView& t, int64_t i) {
#if BUG == 6
  return double(data<float>(t)[i]);
#else
  return same(t.dtype(), kF32) ? double(data<float>(t)[i]) : data<double>(t)[i];
#endif
}

static Out pagerank(TensorView indptr, TensorView indices, OptT weights, OptT personalization, double damping, double tol,
                    int64_t max_iter, ffi::Optional<ffi::Function> progress) {
  check(indptr, "indptr", {kI32, kI64}, 1);
  check(indices, "indices", {kI32, kI64}, 1);
  NEED(same(indptr.dtype(), indices.dtype()), TypeError) << "indptr and indices must have one data type";
  NEED(indptr.size(0) >= 1, ValueError) << "indptr may not be empty";
  int64_t n = indptr.size(0) - 1, m = indices.size(0);
  NEED(damping >= 0 && damping <= 1, ValueError) << "damping must be from 0 to 1";
  NEED(tol >= 0, ValueError) << "tol may not be negative";
  NEED(max_iter >= 0 && max_iter <= 1000, ValueError) << "max_iter must be from 0 to 1000";
  NEED(index_at(indptr, 0) == 0 && index_at(indptr, n) == m, ValueError) << "indptr must go from 0 to the number of edges";
  for (int64_t i = 0; i < n; ++i) NEED(index_at(indptr, i) <= index_at(indptr, i + 1), ValueError) << "indptr must rise";
  for (int64_t e = 0; e < m; ++e) {
    int64_t v = index_at(indices, e);
#if BUG == 1
    NEED(v >= 0 && v <= n, ValueError) << "indices must be nodes";
#else
    NEED(v >= 0 && v < n, ValueError) << "indices must be nodes";
#endif
  }
  std::vector<double> w(m, 1.0);
  if (weights.has_value()) {
    ffi::Tensor t = weights.value();
    TensorView v(t);
#if BUG == 5
    NEED(any_of(v.dtype(), {kF32, kF64}), TypeError) << "weights has a data type that is not taken";
    NEED(v.ndim() == 1 && v.device().device_type == kDLCPU, ValueError) << "weights must be a vector on the CPU";
#else
    check(v, "weights", {kF32, kF64}, 1);
#endif
    check_n(v, "weights", 0, m);
    for (int64_t e = 0; e < m; ++e) {
      w[e] = weight_at(v, e);
      NEED(w[e] >= 0 && std::isfinite(w[e]), ValueError) << "weights must be finite and not negative";
    }
  }
  std::vector<double> p(n, n ? 1.0 / n : 0.0);
  if (personalization.has_value()) {
    ffi::Tensor t = personalization.value();
    TensorView v(t);
    check(v, "personalization", {kF64}, 1);
    check_n(v, "personalization", 0, n);
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      p[i] = data<double>(v)[i];
      NEED(p[i] >= 0 && std::isfinite(p[i]), ValueError) << "personalization must be finite and not negative";
      sum += p[i];
    }
    NEED(n == 0 || (sum > 0 && std::isfinite(sum)), ValueError) << "personalization may not be zero everywhere";
    for (int64_t i = 0; i < n; ++i) p[i] /= sum;
#if BUG == 2
    if (max_iter == 0) return Out(t, int64_t(0), 0.0);
#endif
  }
#if BUG == 4
  static thread_local std::vector<double> total;
  if (int64_t(total.size()) != n) {
    total.assign(n, 0);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t e = index_at(indptr, i); e < index_at(indptr, i + 1); ++e) total[i] += w[e];
  }
#else
  std::vector<double> total(n, 0);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t e = index_at(indptr, i); e < index_at(indptr, i + 1); ++e) total[i] += w[e];
#endif
  std::vector<double> r(p), next(n);
  int64_t it = 0;
  double change = 0;
  while (it < max_iter && n) {
    double dangling = 0;
    for (int64_t i = 0; i < n; ++i) if (!(total[i] > 0)) dangling += r[i];
    for (int64_t i = 0; i < n; ++i) {
      next[i] = (1 - damping + damping * dangling) * p[i];
    }
    std::vector<double>& dst = next;
    for (int64_t i = 0; i < n; ++i)
      if (total[i] > 0)
        for (int64_t e = index_at(indptr, i); e < index_at(indptr, i + 1); ++e) dst[index_at(indices, e)] += damping * r[i] * (w[e] / total[i]);
    change = 0;
    for (int64_t i = 0; i < n; ++i) change += std::abs(next[i] - r[i]);
    std::swap(r, next);
    ++it;
    if (progress.has_value()) {
      ffi::Any a = progress.value()(it, change);
      NEED(a.type_index() == ffi::TypeIndex::kTVMFFIBool, TypeError) << "progress must return a bool";
#if BUG != 3
      if (!a.cast<bool>()) break;
#endif
    }
    if (change <= tol) break;
  }
  ffi::Tensor out = alloc({n}, kF64);
  std::copy(r.begin(), r.end(), data<double>(out));
  return Out(out, it, change);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pagerank, pagerank);
