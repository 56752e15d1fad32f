// SPDX-License-Identifier: Apache-2.0
// Causal sliding window attention with attention sinks and grouped heads; the queries are the last of the keys' positions.
using namespace q1;

static void window_attention(TensorView q, TensorView k, TensorView v, int64_t window, Optional<double> scale,
                             Optional<Tensor> sinks, Optional<Tensor> lse, TensorView out) {
  for (auto t : {&q, &k, &v, &out}) check_rank(*t, 3, "tensor");
  const DLDataType T = q.dtype();
  REQUIRE(same(T, kF32) || same(T, kF16) || same(T, kBF16), TypeError, "q: expected float32, float16 or bfloat16");
  check_dtype(k, T, "k");
  check_dtype(v, T, "v");
  check_dtype(out, T, "out");
  for (auto t : {&q, &k, &v, &out}) {
    check_cpu(*t, "tensor");
    check_aligned(*t, "tensor");
  }
  const int64_t h = q.shape()[0], m = q.shape()[1], d = q.shape()[2];
  const int64_t hk = k.shape()[0], n = k.shape()[1], dv = v.shape()[2];
  REQUIRE(hk >= 1 && h % hk == 0, ValueError, "q: heads are no multiple of those of k");
  REQUIRE(d >= 1, ValueError, "q: no elements in a head");
  check_size(k, 2, d, "k");
  check_size(v, 0, hk, "v");
  check_size(v, 1, n, "v");
  check_size(out, 0, h, "out");
  check_size(out, 1, m, "out");
  check_size(out, 2, dv, "out");
#if BUG != 6
  REQUIRE(m <= n, ValueError, "q: more queries than keys");
#endif
  REQUIRE(window >= 1, ValueError, "window: must be positive");
  check_contiguous(q, "q");
  check_contiguous(out, "out");
  REQUIRE(compact_from(k, 2), ValueError, "k: rows must be contiguous");
  REQUIRE(compact_from(v, 2), ValueError, "v: rows must be contiguous");
  double factor = 1 / std::sqrt(static_cast<double>(d));
  if (scale.has_value()) {
    REQUIRE(scale.value() >= 0 && scale.value() <= 1000, ValueError, "scale: must be in [0, 1000]");
#if BUG == 5
    if (scale.value() != 0) factor = scale.value();
#else
    factor = scale.value();
#endif
  }
  const float* sp = nullptr;
  if (sinks.has_value()) {
    TensorView s = view(sinks);
    check_rank(s, 1, "sinks");
    check_dtype(s, kF32, "sinks");
    check_size(s, 0, h, "sinks");
    check_cpu(s, "sinks");
    check_contiguous(s, "sinks");
    check_aligned(s, "sinks");
    sp = ptr<float>(s);
  }
  float* lp = nullptr;
  if (lse.has_value()) {
    TensorView l = view(lse);
    check_rank(l, 2, "lse");
    check_dtype(l, kF32, "lse");
    check_size(l, 0, h, "lse");
#if BUG != 2
    check_size(l, 1, m, "lse");
#endif
    check_cpu(l, "lse");
    check_contiguous(l, "lse");
    check_aligned(l, "lse");
    lp = ptr<float>(l);
  }
  const auto ks = strides_of(k);
#if BUG == 1
  const auto vs = strides_of(k);
#else
  const auto vs = strides_of(v);
#endif
#if BUG == 4
  const DLDataType V = same(T, kBF16) ? kF16 : T;
#else
  const DLDataType V = T;
#endif
  const char *qp = base(q), *kp = base(k), *vp = base(v);
  char* op = base(out);
#if BUG == 3
  static std::vector<double> scratch;
  if (static_cast<int64_t>(scratch.size()) < n) scratch.resize(n);
#endif
  auto row = [&](int64_t r) {
    const int64_t head = r / m, i = r % m, group = head / (h / hk);
    const int64_t last = n - m + i, first = window > last ? 0 : last - window + 1;
#if BUG == 3
    std::vector<double>& s = scratch;
#else
    std::vector<double> s(last - first + 1);
#endif
    double top = sp ? sp[head] : -std::numeric_limits<double>::infinity();
    for (int64_t j = first; j <= last; ++j) {
      double sum = 0;
      for (int64_t e = 0; e < d; ++e) sum += load(qp, r * d + e, T) * load(kp, group * ks[0] + j * ks[1] + e, T);
      s[j - first] = sum * factor;
      top = std::max(top, s[j - first]);
    }
    double total = sp ? std::exp(sp[head] - top) : 0;
    for (int64_t j = first; j <= last; ++j) total += s[j - first] = std::exp(s[j - first] - top);
    for (int64_t e = 0; e < dv; ++e) {
      double sum = 0;
      for (int64_t j = first; j <= last; ++j) sum += s[j - first] * load(vp, group * vs[0] + j * vs[1] + e, V);
      store(op, r * dv + e, T, sum / total);
    }
    if (lp) lp[r] = static_cast<float>(std::log(total) + top);
  };
  parallel_for(h * m, grain(1.0 * std::min(n, window) * d), row);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(window_attention, window_attention);
