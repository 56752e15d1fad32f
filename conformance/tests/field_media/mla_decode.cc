// SPDX-License-Identifier: Apache-2.0
// Decoding with multi-head latent attention over a paged cache of latents: all heads share one key (latent and rope part), and
// the latent is the value as well.

void mla_decode(TensorView q, TensorView q_pe, TensorView ckv, TensorView kpe, TensorView table, TensorView lengths,
                double sm_scale, Optional<Tensor> sink, TensorView out, Optional<Tensor> lse) {
  CheckType("q", q, {kF32, kF16, kBF16});
  DLDataType type = q.dtype();
  CheckRank("q", q, 3);
  int64_t b = q.size(0), h = q.size(1), r = q.size(2);
#if BUG == 4
  CheckType("q_pe", q_pe, {kF32, kF16, kBF16});
  REQUIRE(q_pe.dtype().bits == type.bits, TypeError, "q_pe: the dtype of q expected");
#else
  CheckType("q_pe", q_pe, {type});
#endif
  CheckRank("q_pe", q_pe, 3);
  int64_t p = q_pe.size(2);
  CheckShape("q_pe", q_pe, {b, h, p});
  CheckType("ckv", ckv, {type});
  CheckRank("ckv", ckv, 3);
  int64_t pages = ckv.size(0), page = ckv.size(1);
  REQUIRE(page >= 1, ValueError, "ckv: pages are empty");
  CheckShape("ckv", ckv, {pages, page, r});
  CheckType("kpe", kpe, {type});
  CheckShape("kpe", kpe, {pages, page, p});
  CheckType("table", table, {kI32});
  CheckRank("table", table, 2);
  int64_t width = table.size(1);
  CheckShape("table", table, {b, width});
  CheckType("lengths", lengths, {kI32});
  CheckShape("lengths", lengths, {b});
  CheckType("out", out, {type});
  CheckShape("out", out, {b, h, r});
  for (const TensorView* t : {&q, &q_pe, &ckv, &kpe, &table, &lengths, &out}) CheckContiguous("an argument", *t);
  REQUIRE(sm_scale > 0 && sm_scale <= 100, ValueError, "sm_scale must be in (0, 100]");
  const float* s = nullptr;
  float* l = nullptr;
  Tensor held_sink, held_lse;
  if (sink.has_value()) {
    held_sink = sink.value();
    TensorView t = held_sink;
    CheckType("sink", t, {kF32});
    CheckShape("sink", t, {h});
    CheckContiguous("sink", t);
    s = Ptr<float>(t);
  }
  if (lse.has_value()) {
    held_lse = lse.value();
    TensorView t = held_lse;
    CheckType("lse", t, {kF32});
#if BUG == 5
    REQUIRE(t.ndim() == 2 && t.size(0) == b, ValueError, "lse: a row for each sequence expected");
#else
    CheckShape("lse", t, {b, h});
#endif
    CheckContiguous("lse", t);
    l = Ptr<float>(t);
  }
  const int32_t* pt = Ptr<int32_t>(table);
  const int32_t* len = Ptr<int32_t>(lengths);
  for (int64_t i = 0; i < b * width; ++i)
    REQUIRE(pt[i] >= -1 && pt[i] < pages, ValueError, "table: no page " << pt[i]);
  for (int64_t i = 0; i < b; ++i) {
#if BUG == 1
    REQUIRE(len[i] >= 0 && len[i] / page <= width, ValueError, "lengths: more than the table has pages for");
#else
    REQUIRE(len[i] >= 0 && len[i] / page + (len[i] % page != 0) <= width, ValueError, "lengths: more than the table has pages for");
#endif
    for (int64_t k = 0; k * page < len[i]; ++k)
      REQUIRE(pt[i * width + k] >= 0, ValueError, "table: a page that is needed is missing");
  }
  const char *qp = Ptr<char>(q), *qr = Ptr<char>(q_pe), *kp = Ptr<char>(ckv), *kr = Ptr<char>(kpe);
  char* y = Ptr<char>(out);
  DLDataType pe_type = q_pe.dtype();
  ParallelFor(b * h, 8, [&](int64_t begin, int64_t end) {
    std::vector<double> scores;
#if BUG == 6
    static thread_local std::vector<double> acc(r);
#else
    std::vector<double> acc(r);
#endif
    for (int64_t t = begin; t < end; ++t) {
      int64_t i = t / h, n = len[i];
#if BUG == 3
      if (n == 0) {
        if (l) l[t] = s ? s[t % h] : -std::numeric_limits<float>::infinity();
        continue;
      }
#endif
      scores.resize(n);
      double most = -std::numeric_limits<double>::infinity();
      auto row = [&](int64_t k) { return static_cast<int64_t>(pt[i * width + k / page]) * page + k % page; };
      for (int64_t k = 0; k < n; ++k) {
        int64_t at = row(k);
        double dot = 0;
        for (int64_t e = 0; e < r; ++e) dot += Load(qp, type, t * r + e) * Load(kp, type, at * r + e);
        for (int64_t e = 0; e < p; ++e) dot += Load(qr, pe_type, t * p + e) * Load(kr, type, at * p + e);
        scores[k] = dot * sm_scale;
        most = std::max(most, scores[k]);
      }
#if BUG == 2
      double sum = s ? std::exp(static_cast<float>(s[t % h] - most)) : 0.0f;
#else
      if (s) most = std::max(most, static_cast<double>(s[t % h]));
      double sum = s ? std::exp(s[t % h] - most) : 0.0;
#endif
      std::fill(acc.begin(), acc.end(), 0.0);
      for (int64_t k = 0; k < n; ++k) {
        double w = std::exp(scores[k] - most);
        int64_t at = row(k);
        sum += w;
        for (int64_t e = 0; e < r; ++e) acc[e] += w * Load(kp, type, at * r + e);
      }
      for (int64_t e = 0; e < r; ++e) Store(y, type, t * r + e, sum > 0 ? acc[e] / sum : 0.0);
      if (l) l[t] = static_cast<float>(sum > 0 ? std::log(sum) + most : -std::numeric_limits<double>::infinity());
    }
  });
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(mla_decode, mla_decode);
