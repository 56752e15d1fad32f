// SPDX-License-Identifier: Apache-2.0
// One step of beam search: the best k continuations of the k beams of each request.

#if BUG == 6
struct Candidate {
  double score;
  int64_t flat;
};
static std::vector<Candidate> g_candidates;
#else
struct Candidate {
  double score;
  int64_t flat;
};
#endif

static double log_prob(const void* p, DLDataType t, int64_t i) {
  if (t == F64) return static_cast<const double*>(p)[i];
  if (t == F32) return static_cast<const float*>(p)[i];
  uint16_t h = static_cast<const uint16_t*>(p)[i];
#if BUG == 4
  int e = (h >> 10) & 31;
  double m = e ? std::ldexp(1024.0 + (h & 1023), e - 25) : std::ldexp(double(h & 1023), -24);
  return h & 0x8000 ? -m : m;
#else
  return half_to_float(h);
#endif
}

// logp [b, k, v]: log-probabilities; scores [b, k]: of the beams so far; done [b, k]: beams that have ended, they go on
// with eos at no cost; lengths [b, k]: of the beams, brought up to date. NaN is as -inf. Of equal ones the first is taken.
static Tuple<Tensor, Tensor, Tensor> beam_step(TensorView logp, TensorView scores, TensorView done, TensorView lengths,
                                               Optional<int64_t> eos) {
  check_tensor(logp, "logp", 3, {F16, F32, F64});
  check_dense(logp, "logp");
  check_tensor(scores, "scores", 2, {F32});
  check_dense(scores, "scores");
  check_tensor(done, "done", 2, {BOOL});
  check_dense(done, "done");
  check_tensor(lengths, "lengths", 2, {I32});
  check_dense(lengths, "lengths");
  int64_t b = logp.shape()[0], k = logp.shape()[1], v = logp.shape()[2];
  NEED(k >= 1 && v >= 1, ValueError) << "logp: needs a beam and a token";
  NEED(v <= std::numeric_limits<int32_t>::max() / k, ValueError) << "logp: too many candidates";
  for (int d = 0; d < 2; ++d) {
    check_extent(scores, d, logp.shape()[d], "scores");
    check_extent(done, d, logp.shape()[d], "done");
    check_extent(lengths, d, logp.shape()[d], "lengths");
  }
#if BUG == 3
  if (eos.has_value()) NEED(*eos >= 0, ValueError) << "eos: must not be negative";
#else
  if (eos.has_value()) check_range(*eos, 0, v - 1, "eos");
#endif
  const void* lp = data_of<char>(logp);
  const float* sc = data_of<float>(scores);
  const uint8_t* ended = data_of<uint8_t>(done);
  int32_t* len = data_of<int32_t>(lengths);
#if BUG != 1
  for (int64_t i = 0; i < b * k; ++i) NEED(!ended[i] || eos.has_value(), ValueError) << "eos: is needed, a beam has ended";
#endif
  Tensor out_scores = alloc({b, k}, F32), out_tokens = alloc({b, k}, I32), out_parents = alloc({b, k}, I32);
  float* os = data_of<float>(out_scores);
  int32_t* ot = data_of<int32_t>(out_tokens);
  int32_t* op = data_of<int32_t>(out_parents);
  DLDataType type = logp.dtype();
  auto body = [&](int64_t lo, int64_t hi) {
#if BUG == 6
    std::vector<Candidate>& all = g_candidates;
#else
    std::vector<Candidate> all;
#endif
    std::vector<int32_t> before(k);
    for (int64_t r = lo; r < hi; ++r) {
      all.clear();
      for (int64_t i = 0; i < k; ++i) {
        double s = sc[r * k + i];
        if (ended[r * k + i]) {
          double c = s;
#if BUG != 5
          if (c != c) c = -std::numeric_limits<double>::infinity();
#endif
          all.push_back({c, i * v + eos.value_or(0)});
          continue;
        }
        for (int64_t t = 0; t < v; ++t) {
          double c = s + log_prob(lp, type, (r * k + i) * v + t);
#if BUG != 5
          if (c != c) c = -std::numeric_limits<double>::infinity();
#endif
          all.push_back({c, i * v + t});
        }
      }
      std::stable_sort(all.begin(), all.end(), [](const Candidate& x, const Candidate& y) { return x.score > y.score; });
      for (int64_t i = 0; i < k; ++i) before[i] = len[r * k + i];
      for (int64_t i = 0; i < k; ++i) {
        int64_t parent = all[i].flat / v;
        os[r * k + i] = float(all[i].score);
        ot[r * k + i] = int32_t(all[i].flat % v);
        op[r * k + i] = int32_t(parent);
#if BUG == 2
        len[r * k + i] = len[r * k + parent] + (ended[r * k + parent] ? 0 : 1);
#else
        len[r * k + i] = int32_t(uint32_t(before[parent]) + (ended[r * k + parent] ? 0 : 1));
#endif
      }
    }
  };
#if BUG == 6
  body(0, b);
#else
  parallel_for(b, 16, body);
#endif
  return Tuple<Tensor, Tensor, Tensor>(out_scores, out_tokens, out_parents);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(beam_step, beam_step);
