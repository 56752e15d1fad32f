// SPDX-License-Identifier: Apache-2.0
// Speculative decoding: accepts the drafted tokens of each request from the left while the target
// model agrees, and draws one token more: of what the draft left over after a rejection, or behind
// the last draft. What follows is -1. Without draft_probs, the drafts are certain (n-grams).
namespace {
using namespace set;

// The token where `uniform` of the sum of the weights is reached, or the last one with a weight.
int32_t Draw(const std::vector<double>& weights, double uniform) {
  double total = 0, reached = 0;
  int32_t last = 0;
  for (double weight : weights) total += weight;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) last = static_cast<int32_t>(i);
    reached += weights[i];
    if (reached > uniform * total) return static_cast<int32_t>(i);
  }
  return last;
}

void CheckProbs(const char* name, const View& probs, int64_t batch, int64_t row,
                std::vector<double>* out) {
  double sum = 0;
  for (size_t v = 0; v < out->size(); ++v) {
    double value = GetRaw<float>(probs.at(batch, row, static_cast<int64_t>(v)));
    if (!(value >= 0) || std::isinf(value)) {
      TVM_FFI_THROW(ValueError) << name << " must not be negative, NaN or infinite, as in request "
                                << batch;
    }
    sum += value;
    (*out)[v] = value;
  }
  if (sum == 0) {
    TVM_FFI_THROW(ValueError) << name << " must not be all zero, as in request " << batch;
  }
}

void SpeculativeVerify(Optional<Tensor> draft_probs_, DLTensor* draft_ids_, DLTensor* target_probs_,
                       DLTensor* uniforms_, Optional<Tensor> num_drafts_, DLTensor* ids_,
                       DLTensor* accepted_, Optional<Tensor> totals_) {
  View draft_ids = Check("draft_ids", draft_ids_, {kInt32}, 2);
  View target_probs = Check("target_probs", target_probs_, {kFloat32}, 3, kRows);
  View uniforms = Check("uniforms", uniforms_, {kFloat32}, 2);
  View ids = Check("ids", ids_, {kInt32}, 2);
  View accepted = Check("accepted", accepted_, {kInt32}, 1);
  int64_t batch = draft_ids.shape[0], steps = draft_ids.shape[1], vocab = target_probs.shape[2];
  if (vocab < 1) TVM_FFI_THROW(ValueError) << "target_probs must have at least one token";
  CheckExtent("target_probs", target_probs, 0, batch);
  CheckExtent("target_probs", target_probs, 1, steps + 1);
  CheckExtent("uniforms", uniforms, 0, batch);
  CheckExtent("uniforms", uniforms, 1, steps + 1);
  CheckExtent("ids", ids, 0, batch);
  CheckExtent("ids", ids, 1, steps + 1);
  CheckExtent("accepted", accepted, 0, batch);
  View draft_probs, num_drafts, totals;
  bool certain = !draft_probs_.has_value();
  if (!certain) {
    draft_probs = Check("draft_probs", draft_probs_, {kFloat32}, 3, kRows);
    CheckExtent("draft_probs", draft_probs, 0, batch);
    CheckExtent("draft_probs", draft_probs, 1, steps);
    CheckExtent("draft_probs", draft_probs, 2, vocab);
  }
  if (num_drafts_.has_value()) {
    num_drafts = Check("num_drafts", num_drafts_, {kInt32}, 1);
    CheckExtent("num_drafts", num_drafts, 0, batch);
  }
  if (totals_.has_value()) {
    totals = Check("totals", totals_, {kInt64}, 1);
    CheckExtent("totals", totals, 0, 2);
  }

  std::vector<int32_t> tokens(batch * (steps + 1), -1), counts(batch, 0);
  std::vector<double> p(vocab), q(vocab);
  int64_t drafted = 0, agreed = 0;
  for (int64_t b = 0; b < batch; ++b) {
    int64_t n = steps;
    if (num_drafts_.has_value()) {
      n = GetRaw<int32_t>(num_drafts.at(b));
      if (n < 0 || n > steps) {
        TVM_FFI_THROW(ValueError) << "num_drafts must be from 0 to " << steps << ", not " << n;
      }
#if BUG == 1
      n = steps;
#endif
    }
    for (int64_t s = 0; s <= steps; ++s) {
      float u = GetRaw<float>(uniforms.at(b, s));
      if (!(u >= 0 && u < 1)) {
        TVM_FFI_THROW(ValueError) << "uniforms must be in [0, 1), and has " << u;
      }
      CheckProbs("target_probs", target_probs, b, s, &p);
      if (s < steps && !certain) CheckProbs("draft_probs", draft_probs, b, s, &q);
    }
    for (int64_t s = 0; s < n; ++s) {
      int32_t id = GetRaw<int32_t>(draft_ids.at(b, s));
      if (id < 0 || (BUG != 2 && id >= vocab)) {
        TVM_FFI_THROW(ValueError) << "draft_ids has " << id << " of " << vocab << " tokens";
      }
    }
    drafted += n;
    double last = GetRaw<float>(uniforms.at(b, steps));
    int64_t s = 0;
    bool rejected = false;
    for (; s < n && !rejected; ++s) {
      int32_t id = GetRaw<int32_t>(draft_ids.at(b, s));
      double u = GetRaw<float>(uniforms.at(b, s));
      double target = GetRaw<float>(target_probs.at(b, s, id));
      double draft = certain ? 1 : GetRaw<float>(draft_probs.at(b, s, id));
      if (BUG == 3 ? u * draft <= target : u * draft < target) {
        tokens[b * (steps + 1) + s] = id;
        continue;
      }
      rejected = true;
      CheckProbs("target_probs", target_probs, b, s, &p);
      double left = 0;
      std::vector<double> rest(vocab);
      for (int64_t v = 0; v < vocab; ++v) {
        double less = certain ? (v == id && BUG != 4 ? p[v] : 0)
                              : GetRaw<float>(draft_probs.at(b, s, v));
        rest[v] = BUG == 5 ? std::fabs(p[v] - less) : std::max(p[v] - less, 0.0);
        left += rest[v];
      }
      // Nothing is left over where both are the same but for roundings.
      tokens[b * (steps + 1) + s] = Draw(left > 0 ? rest : p, last);
      break;
    }
    if (!rejected) {
      CheckProbs("target_probs", target_probs, b, BUG == 6 ? steps : n, &p);
      tokens[b * (steps + 1) + n] = Draw(p, last);
    }
    counts[b] = static_cast<int32_t>(s);
    agreed += s;
  }
  for (int64_t i = 0; i < batch * (steps + 1); ++i) {
    if (BUG == 7 && tokens[i] < 0) continue;
    PutRaw<int32_t>(ids.data + i * 4, tokens[i]);
  }
  for (int64_t b = 0; b < batch; ++b) PutRaw<int32_t>(accepted.at(b), counts[b]);
  if (totals_.has_value()) {
    int64_t before[2] = {GetRaw<int64_t>(totals.at(0)), GetRaw<int64_t>(totals.at(1))};
    if (BUG == 8) before[0] = before[1] = 0;
    PutRaw<int64_t>(totals.at(0), before[0] + agreed);
    PutRaw<int64_t>(totals.at(1), before[1] + drafted);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(speculative_verify, SpeculativeVerify);
