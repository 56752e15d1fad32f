// SPDX-License-Identifier: Apache-2.0
// ctc_greedy: best path decoding of a batch of CTC outputs.
//
//   logits   [b, t, v]          float32 or float16; of the frames that count, numbers or -inf, in
//                               each frame at least one number
//   lengths  [b] or None        int32 or int64, frames that count, 0 to t; None: all of them
//   blank    0 to v - 1
//   merge_repeated              equal symbols of frames that follow each other are one token;
//                               a blank between them parts them
//   tokens   [b, t]             int32, -1 behind the last token
//   counts   [b]                int32, number of tokens
//   scores   [b] or None        float32, log probability of the path (softmax over v)
//
// The first of equal logits is taken. Nothing is written if the call is refused.
namespace {

template <typename T>
double Load(const T* p, int64_t i) {
  return static_cast<double>(p[i]);
}
template <>
double Load<uint16_t>(const uint16_t* p, int64_t i) {
  return HalfToDouble(p[i]);
}

template <typename T>
void CheckFrames(const T* x, int64_t frames, int64_t v) {
  for (int64_t f = 0; f < frames; ++f) {
    bool any = false;
    for (int64_t c = 0; c < v; ++c) {
      const double z = Load(x, f * v + c);
      if (std::isnan(z) || z == std::numeric_limits<double>::infinity()) {
        TVM_FFI_THROW(ValueError) << "logits must not be NaN or +inf";
      }
      any = any || std::isfinite(z);
    }
    if (!any) TVM_FFI_THROW(ValueError) << "logits must have a number in each frame";
  }
}

template <typename T>
void Run(const Arg& logits, const std::vector<int64_t>& lengths, int64_t blank, bool merge,
         int32_t* tokens, int32_t* counts, float* scores) {
  const int64_t batch = logits.dim(0);
  const int64_t t = logits.dim(1);
  const int64_t v = logits.dim(2);
  const T* x = logits.data<T>();
#if BUG != 4
  for (int64_t b = 0; b < batch; ++b) CheckFrames(x + b * t * v, lengths[b], v);
#endif
  for (int64_t b = 0; b < batch; ++b) {
    const T* row = x + b * t * v;
#if BUG == 4
    CheckFrames(row, lengths[b], v);
#endif
    int32_t* out = tokens + b * t;
    int64_t n = 0;
    int64_t previous = -1;
    double score = 0;
    const int64_t frames = lengths[b];
    for (int64_t f = 0; f < frames; ++f) {
      int64_t best = 0;
      double top = Load(row, f * v);
      for (int64_t c = 1; c < v; ++c) {
        const double z = Load(row, f * v + c);
#if BUG == 5
        if (z >= top) {
#else
        if (z > top) {
#endif
          top = z;
          best = c;
        }
      }
      if (scores != nullptr) {
        double others = 0;
        for (int64_t c = 0; c < v; ++c) {
          if (c != best) others += std::exp(Load(row, f * v + c) - top);
        }
        score -= std::log1p(others);
      }
#if BUG == 1
      if (best != blank && !(merge && best == previous)) out[n++] = static_cast<int32_t>(best);
      if (best != blank) previous = best;
#else
      if (best != blank && !(merge && best == previous)) out[n++] = static_cast<int32_t>(best);
      previous = best;
#endif
    }
#if BUG == 3
    std::fill(out + n, out + frames, -1);
#else
    std::fill(out + n, out + t, -1);
#endif
    counts[b] = static_cast<int32_t>(n);
    if (scores != nullptr) scores[b] = static_cast<float>(score);
  }
}

void CtcGreedy(TensorView logits_view, Optional<Tensor> lengths_tensor, int64_t blank, bool merge,
               TensorView tokens_view, TensorView counts_view, Optional<Tensor> scores_tensor) {
  ffi::AnyView logits_any(logits_view), tokens_any(tokens_view), counts_any(counts_view);
  const Arg logits("logits", logits_any.cast<DLTensor*>());
  const Arg tokens("tokens", tokens_any.cast<DLTensor*>());
  const Arg counts("counts", counts_any.cast<DLTensor*>());
  logits.Type({kF32, kF16}).Rank(3).Cpu().Contiguous();
  const int64_t batch = logits.dim(0);
  const int64_t t = logits.dim(1);
  const int64_t v = logits.dim(2);
  tokens.Type({kI32}).Rank(2).Extent(0, batch).Extent(1, t).Cpu().Contiguous();
  counts.Type({kI32}).Rank(1).Extent(0, batch).Cpu().Contiguous();
  float* scores = nullptr;
  if (scores_tensor.has_value()) {
    const Arg s("scores", scores_tensor.value());
    s.Type({kF32}).Rank(1).Extent(0, batch).Cpu().Contiguous();
    scores = s.data<float>();
  }
  if (v > std::numeric_limits<int32_t>::max()) TVM_FFI_THROW(ValueError) << "logits are too wide";
  if (blank < 0 || blank >= v) {
    TVM_FFI_THROW(ValueError) << "blank must be from 0 to " << v - 1 << ", not " << blank;
  }
  std::vector<int64_t> lengths(batch, t);
  if (lengths_tensor.has_value()) {
    const Arg l("lengths", lengths_tensor.value());
    l.Type({kI32, kI64}).Rank(1).Extent(0, batch).Cpu().Contiguous();
    const Ints given(l);
    for (int64_t b = 0; b < batch; ++b) {
#if BUG == 6
      lengths[b] = l.data<int32_t>()[b];
#else
      lengths[b] = given[b];
#endif
#if BUG == 2
      if (lengths[b] < 0) {
#else
      if (lengths[b] < 0 || lengths[b] > t) {
#endif
        TVM_FFI_THROW(ValueError) << "lengths must be from 0 to " << t << ", not " << lengths[b];
      }
    }
  }
  if (logits.Is(kF32)) {
    Run<float>(logits, lengths, blank, merge, tokens.data<int32_t>(), counts.data<int32_t>(),
               scores);
  } else {
    Run<uint16_t>(logits, lengths, blank, merge, tokens.data<int32_t>(), counts.data<int32_t>(),
                  scores);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(ctc_greedy, CtcGreedy);
