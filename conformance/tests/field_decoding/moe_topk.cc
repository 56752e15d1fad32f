// SPDX-License-Identifier: Apache-2.0
// Gate of a mixture of experts: scores are the softmax or the sigmoid of the gating logits. The k
// best experts of each token are chosen by score (plus a correction bias, if there is one; equal
// ones by rising index); their weights are the scores without the bias, normalized on request.
// Optionally counts the tokens of each expert.
namespace {

using namespace set;

void MoeTopk(TensorView gating_, Optional<TensorView> bias_, ffi::String scoring, bool renormalize,
             double scaling, TensorView weights_, TensorView ids_, Optional<TensorView> counts_) {
  View gating = Look(gating_, "gating", 2, {kF32, kF16, kBF16});
  NeedRows(gating);
  const int64_t t = gating.shape[0], n = gating.shape[1];
  const std::string how(scoring.data(), scoring.size());
  if (how != "softmax" && how != "sigmoid") {
    TVM_FFI_THROW(ValueError) << "scoring: must be softmax or sigmoid, not " << how;
  }
  const bool sigmoid = how == "sigmoid";
  if (!std::isfinite(scaling)) TVM_FFI_THROW(ValueError) << "scaling: must be finite";
  View bias;
  if (bias_.has_value()) {
    bias = Look(bias_.value(), "bias", 1, {kF32});
    NeedShape(bias, {n});
    NeedContiguous(bias);
  }
  View weights = Look(weights_, "weights", 2, {kF32});
  const int64_t k = weights.shape[1];
  NeedShape(weights, {t, k});
  NeedContiguous(weights);
  if (k < 1 || (BUG != 1 && k > n)) {
    TVM_FFI_THROW(ValueError) << "weights: " << k << " experts for each token of " << n;
  }
  View ids = Look(ids_, "ids", 2, {kI32});
  NeedShape(ids, {t, k});
  NeedContiguous(ids);
  View counts;
  if (counts_.has_value()) {
    counts = Look(counts_.value(), "counts", 1, {kI32});
    NeedShape(counts, {n});
    NeedContiguous(counts);
  }
  for (int64_t i = 0; bias_.has_value() && i < n; ++i) {
    if (!std::isfinite(*bias.at<float>(i))) {
      TVM_FFI_THROW(ValueError) << "bias: must be finite";
    }
  }

#if BUG == 8
  if (Same(gating.dtype, kBF16)) gating.dtype = kF16;
#endif
  ByFloat(gating.dtype, [&](auto tag) {
    using T = decltype(tag);
    auto check = [&](int64_t r) {
      const T* row = gating.at<T>(r * gating.stride[0]);
      for (int64_t i = 0; i < n; ++i) {
        if (!std::isfinite(Get(row[i]))) {
          TVM_FFI_THROW(ValueError) << "gating: row " << r << " has a number that is not finite";
        }
      }
    };
#if BUG != 9
    for (int64_t r = 0; r < t; ++r) check(r);
#endif
    if (counts_.has_value() && BUG != 7) {
      std::fill(counts.at<int32_t>(0), counts.at<int32_t>(0) + n, 0);
    }
    std::vector<double> score(n), rank(n);
    std::vector<char> taken(n);
    for (int64_t r = 0; r < t; ++r) {
#if BUG == 9
      check(r);
#endif
      const T* row = gating.at<T>(r * gating.stride[0]);
      double most = -std::numeric_limits<double>::infinity(), total = 0;
      for (int64_t i = 0; i < n; ++i) most = std::max(most, Get(row[i]));
      if (BUG == 5) most = 0;
      for (int64_t i = 0; i < n; ++i) {
        const double x = Get(row[i]);
        score[i] = sigmoid ? 1 / (1 + std::exp(-x)) : std::exp(x - most);
        total += score[i];
      }
      for (int64_t i = 0; i < n; ++i) {
        if (!sigmoid) score[i] /= total;
        // Without a bias the logits have the order of the scores, and don't underflow.
        rank[i] = bias_.has_value() ? score[i] + *bias.at<float>(i) : Get(row[i]);
        taken[i] = 0;
      }
      double sum = 0;
      float* w = weights.at<float>(r * k);
      int32_t* id = ids.at<int32_t>(r * k);
      for (int64_t j = 0; j < k; ++j) {
        int64_t best = BUG == 6 ? 0 : -1;
        double least = BUG == 6 ? 0 : -std::numeric_limits<double>::infinity();
        for (int64_t i = 0; i < n; ++i) {
          if (taken[i]) continue;
          if (BUG == 2 ? rank[i] >= least : rank[i] > least) {
            best = i;
            least = rank[i];
          }
        }
        if (best < 0) best = n;  // k <= n, so that there always is one
        if (best < n) taken[best] = 1;
        id[j] = static_cast<int32_t>(best);
        if (counts_.has_value() && best < n) ++*counts.at<int32_t>(best);
        double s = best < n ? (BUG == 3 && bias_.has_value() ? rank[best] : score[best]) : 0;
        sum += s;
        score[best < n ? best : 0] = s;
      }
      double norm = scaling;
      if (renormalize && !(BUG == 4 && sigmoid)) norm /= sum + 1e-20;
      for (int64_t j = 0; j < k; ++j) {
        w[j] = static_cast<float>((id[j] < n ? score[id[j]] : 0) * norm);
      }
    }
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(moe_topk, MoeTopk);
