// SPDX-License-Identifier: Apache-2.0
// Decode attention over a paged KV cache, one query token for each request; grouped heads, sliding window, optional log-sum-exp.
template <typename T>
static void Decode(const TensorView &q, const TensorView &k, const TensorView &v,
                   const TensorView &indptr, const TensorView &indices, const TensorView &last,
                   const TensorView &out, float *lse, double scale, int64_t window)
{
  int64_t b = q.size(0), h = q.size(1), d = q.size(2), ps = k.size(1), hk = k.size(2);
  const T *qp = Ptr<T>(q), *kp = Ptr<T>(k), *vp = Ptr<T>(v);
  const int32_t *ip = Ptr<int32_t>(indptr), *pages = Ptr<int32_t>(indices),
                *lp = Ptr<int32_t>(last);
  T *op = Ptr<T>(out);
#if BUG == 4
  static std::vector<double> scores;
  static std::vector<double> acc;
  const int64_t grain = b + 1;
#else
  const int64_t grain = 4;
#endif
  ParallelFor(b, grain, [&](int64_t from, int64_t to) {
#if BUG != 4
    std::vector<double> scores;
    std::vector<double> acc;
#endif
    acc.resize(d);
    for (int64_t i = from; i < to; ++i) {
      int64_t n_pages = ip[i + 1] - ip[i];
      int64_t len = n_pages == 0 ? 0 : (n_pages - 1) * ps + lp[i];
      int64_t first = window > 0 && window < len ? len - window : 0;
#if BUG == 5
      if (len == 0) continue;
#endif
      scores.resize(len);
      for (int64_t j = 0; j < h; ++j) {
#if BUG == 2
        int64_t g = j % hk;
#else
        int64_t g = j / (h / hk);
#endif
        const T *qr = qp + (i * h + j) * d;
        double top = -std::numeric_limits<double>::infinity(), total = 0;
        auto row = [&](const T *base, int64_t t) {
          return base + ((int64_t(pages[ip[i] + t / ps]) * ps + t % ps) * hk + g) * d;
        };
        for (int64_t t = first; t < len; ++t) {
          const T *kr = row(kp, t);
          double s = 0;
          for (int64_t x = 0; x < d; ++x) s += double(ToFloat(qr[x])) * ToFloat(kr[x]);
          scores[t] = s * scale;
          top = std::max(top, scores[t]);
        }
        std::fill(acc.begin(), acc.end(), 0.0);
        for (int64_t t = first; t < len; ++t) {
          double w = std::exp(scores[t] - top);
          total += w;
          const T *vr = row(vp, t);
          for (int64_t x = 0; x < d; ++x) acc[x] += w * ToFloat(vr[x]);
        }
        T *o = op + (i * h + j) * d;
        for (int64_t x = 0; x < d; ++x) o[x] = From<T>(len == 0 ? 0.0 : acc[x] / total);
        if (lse != nullptr)
          lse[i * h + j] =
              len == 0 ? -std::numeric_limits<float>::infinity() : float(top + std::log(total));
      }
    }
  });
}

static void PagedDecode(TensorView q, TensorView k_cache, TensorView v_cache, TensorView indptr,
                        TensorView indices, TensorView last_page_len, TensorView out,
                        Optional<Tensor> lse, Optional<double> scale, int64_t window)
{
  Check(q, "q", 3, {kF16, kF32});
  Check(k_cache, "k_cache", 4, {q.dtype()});
  Check(v_cache, "v_cache", 4, {q.dtype()});
  Check(indptr, "indptr", 1, {kI32});
  Check(indices, "indices", 1, {kI32});
  Check(last_page_len, "last_page_len", 1, {kI32});
  Check(out, "out", 3, {q.dtype()});
  int64_t b = q.size(0), h = q.size(1), d = q.size(2), p = k_cache.size(0), ps = k_cache.size(1),
          hk = k_cache.size(2);
  TVM_FFI_CHECK(d >= 1 && ps >= 1 && hk >= 1, ValueError)
      << "head_dim, page_size and kv heads must not be 0";
  TVM_FFI_CHECK(h % hk == 0, ValueError)
      << "the number of heads must be a multiple of that of kv heads";
  CheckSize(k_cache, "k_cache", 3, d);
  for (int i = 0; i < 4; ++i) CheckSize(v_cache, "v_cache", i, k_cache.size(i));
  for (int i = 0; i < 3; ++i) CheckSize(out, "out", i, q.size(i));
  CheckSize(indptr, "indptr", 0, b + 1);
  CheckSize(last_page_len, "last_page_len", 0, b);
  float *lse_ptr = nullptr;
  if (lse.has_value()) {
    Tensor held = lse.value();
    TensorView l(held);
#if BUG == 3
    TVM_FFI_CHECK(l.ndim() == 2 && l.IsContiguous() && l.device().device_type == kDLCPU, ValueError)
        << "lse must be [batch, heads]";
#else
    Check(l, "lse", 2, {kF32});
#endif
    CheckSize(l, "lse", 0, b);
    CheckSize(l, "lse", 1, h);
    lse_ptr = Ptr<float>(l);
  }
  TVM_FFI_CHECK(!scale.has_value() || (scale.value() >= 0 && scale.value() <= 16), ValueError)
      << "scale must be in [0, 16]";
  TVM_FFI_CHECK(window >= 0 && window <= 0x7fffffff, ValueError) << "window must be in [0, 2^31)";
  const int32_t *ip = Ptr<int32_t>(indptr), *pages = Ptr<int32_t>(indices),
                *lp = Ptr<int32_t>(last_page_len);
  TVM_FFI_CHECK(ip[0] == 0, ValueError) << "indptr must begin with 0";
  for (int64_t i = 0; i < b; ++i) {
    TVM_FFI_CHECK(ip[i + 1] >= ip[i], ValueError) << "indptr must not fall";
    TVM_FFI_CHECK(lp[i] >= 1 && lp[i] <= ps, ValueError)
        << "last_page_len must be in [1, page_size]";
  }
#if BUG == 6
  TVM_FFI_CHECK(b == 0 || ip[b - 1] <= indices.size(0), ValueError)
      << "indptr must end with the number of indices";
#else
  TVM_FFI_CHECK(ip[b] == indices.size(0), ValueError)
      << "indptr must end with the number of indices";
#endif
#if BUG != 1
  for (int64_t i = 0; i < indices.size(0); ++i) {
    TVM_FFI_CHECK(pages[i] >= 0 && pages[i] < p, ValueError)
        << "indices must be pages of the cache";
  }
#endif
  double s = scale.has_value() ? scale.value() : 1.0 / std::sqrt(double(d));
  if (Same(q.dtype(), kF32))
    Decode<float>(q, k_cache, v_cache, indptr, indices, last_page_len, out, lse_ptr, s, window);
  else
    Decode<Half>(q, k_cache, v_cache, indptr, indices, last_page_len, out, lse_ptr, s, window);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(paged_decode, PagedDecode);
