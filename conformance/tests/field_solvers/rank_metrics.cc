// SPDX-License-Identifier: Apache-2.0
// Ranking metrics of recommendations: hits, precision, recall and NDCG at k, by user.
using OptT = ffi::Optional<ffi::Tensor>;
static int64_t at(const TensorView& t, int64_t i) {
  return same(t.dtype(), kI32) ? int64_t(data<int32_t>(t)[i]) : data<int64_t>(t)[i];
}
static int64_t rec_at(const TensorView& t, int64_t i) {
#if BUG == 6
  return same(t.dtype(), kI32) ? data<int32_t>(t)[i] : int32_t(data<int64_t>(t)[i]);
#else
  return at(t, i);
#endif
}

static ffi::Map<ffi::String, ffi::Tensor> rank_metrics(TensorView recs, TensorView ptr, TensorView items, OptT gains, int64_t k,
                                                       int64_t threads) {
  check(recs, "recs", {kI32, kI64}, 2, 1);
  check(ptr, "ptr", {kI64}, 1);
  check(items, "items", {kI32, kI64}, 1);
  NEED(same(recs.dtype(), items.dtype()), TypeError) << "recs and items must have one data type";
  int64_t u = recs.size(0), w = recs.size(1), m = items.size(0);
  check_n(ptr, "ptr", 0, u + 1);
  NEED(k >= 1 && k <= w, ValueError) << "k must be from 1 to " << w;
  NEED(threads >= 1 && threads <= 64, ValueError) << "threads must be from 1 to 64";
  const float* gain = nullptr;
  ffi::Tensor gt;
  if (gains.has_value()) {
    gt = gains.value();
    TensorView v(gt);
    check(v, "gains", {kF32}, 1);
#if BUG != 3
    check_n(v, "gains", 0, m);
#endif
    gain = data<float>(v);
    for (int64_t i = 0; i < v.size(0); ++i) NEED(gain[i] >= 0 && std::isfinite(gain[i]), ValueError) << "gains must be finite and not negative";
  }
  const int64_t* p = data<int64_t>(ptr);
  NEED(p[0] == 0, ValueError) << "ptr must begin with 0";
  for (int64_t i = 0; i < u; ++i) NEED(p[i] <= p[i + 1], ValueError) << "ptr must rise";
#if BUG == 1
  NEED(p[u] >= m, ValueError) << "ptr must end with the number of items";
#else
  NEED(p[u] == m, ValueError) << "ptr must end with the number of items";
#endif
  for (int64_t j = 0; j < m; ++j) NEED(at(items, j) >= 0, ValueError) << "items may not be negative";
#if BUG == 5
  int64_t row = w;
#else
  int64_t row = recs.IsContiguous() ? w : recs.stride(0);
#endif
  for (int64_t i = 0; i < u; ++i)
    for (int64_t j = 0; j < w; ++j) NEED(rec_at(recs, i * row + j) >= -1, ValueError) << "recs must be items or -1";

  ffi::Tensor hits = alloc({u}, kI64), precision = alloc({u}, kF64), recall = alloc({u}, kF64), ndcg = alloc({u}, kF64);
  int64_t* o_hits = data<int64_t>(hits);
  double *o_p = data<double>(precision), *o_r = data<double>(recall), *o_n = data<double>(ndcg);
  parallel(u, threads, [&](int64_t begin, int64_t end, int) {
#if BUG == 2
    static std::vector<double> ideal;
#else
    std::vector<double> ideal;
#endif
    for (int64_t i = begin; i < end; ++i) {
      std::unordered_map<int64_t, int64_t> left;
      ideal.clear();
      for (int64_t j = p[i]; j < p[i + 1]; ++j) {
        NEED(left.emplace(at(items, j), j).second, ValueError) << "an item stands twice with user " << i;
        ideal.push_back(gain ? gain[j] : 1.0);
      }
      int64_t n = p[i + 1] - p[i], h = 0;
      double dcg = 0, idcg = 0;
      for (int64_t q = 0; q < k; ++q) {
        auto it = left.find(rec_at(recs, i * row + q));
        if (it == left.end()) continue;
        ++h;
        dcg += (gain ? gain[it->second] : 1.0) / std::log2(2.0 + q);
        left.erase(it);   // recommended again, it counts no more
      }
      std::sort(ideal.begin(), ideal.end(), [](double a, double b) { return a > b; });
      for (int64_t q = 0; q < std::min(k, int64_t(ideal.size())); ++q) idcg += ideal[q] / std::log2(2.0 + q);
      o_hits[i] = h;
      o_p[i] = double(h) / k;
      o_r[i] = n ? double(h) / n : 0;
      o_n[i] = idcg > 0 ? dcg / idcg : 0;
    }
  });
#if BUG == 4
  auto* kept = new ffi::Map<ffi::String, ffi::Tensor>{{"hits", hits}, {"precision", precision}, {"recall", recall}, {"ndcg", ndcg}};
  return *kept;
#else
  return ffi::Map<ffi::String, ffi::Tensor>{{"hits", hits}, {"precision", precision}, {"recall", recall}, {"ndcg", ndcg}};
#endif
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rank_metrics, rank_metrics);
