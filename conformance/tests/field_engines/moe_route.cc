// SPDX-License-Identifier: Apache-2.0
// Routes each token to the k experts with the greatest scores. A bias, if given, takes part in the
// choice, and not in the weights.
namespace {
using namespace set;

ffi::Tuple<Tensor, Tensor> MoeRoute(DLTensor* logits_, int64_t k, ffi::String scoring,
                                    bool renormalize, Optional<Tensor> bias_, double routed_scale,
                                    Optional<Tensor> counts_) {
  View logits = Check("logits", logits_, {kFloat32, kFloat16, kBfloat16}, 2, kRows);
  int64_t tokens = logits.shape[0], experts = logits.shape[1];
  if (k < 1 || (BUG != 1 && k > experts)) {
    TVM_FFI_THROW(ValueError) << "k must be from 1 to the " << experts << " experts, not " << k;
  }
  if (scoring != "softmax" && scoring != "sigmoid") {
    TVM_FFI_THROW(ValueError) << "scoring must be softmax or sigmoid, not " << scoring;
  }
  bool softmax = scoring == "softmax";
  if (!(routed_scale > 0) || std::isinf(routed_scale)) {
    TVM_FFI_THROW(ValueError) << "routed_scale must be positive and finite, not " << routed_scale;
  }
  View bias, counts;
  if (bias_.has_value()) {
    bias = Check("bias", bias_, {kFloat32}, 1);
    CheckExtent("bias", bias, 0, experts);
  }
  if (counts_.has_value()) {
    counts = Check("counts", counts_, {kInt32}, 1);
    CheckExtent("counts", counts, 0, experts);
  }

  Tensor weights = NewTensor({tokens, k}, kFloat32);
  Tensor ids = NewTensor({tokens, k}, BUG == 2 ? kInt64 : kInt32);
  std::vector<double> scores(experts), chosen(k);
  std::vector<int32_t> load(experts, 0);
#if BUG == 3
  static std::vector<char> taken;
#else
  std::vector<char> taken;
#endif
  for (int64_t t = 0; t < tokens; ++t) {
    double top = -INFINITY, sum = 0;
    for (int64_t e = 0; e < experts; ++e) {
      ByFloatType(logits.dtype, [&](auto element) {
        scores[e] = Get<decltype(element)>(logits.at(t, e));
      });
      top = std::max(top, scores[e]);
    }
    for (double& score : scores) {
      if (softmax) {
#if BUG == 4
        score = std::exp(static_cast<float>(score));
#else
        score = std::exp(score - top);
#endif
      } else {
        score = 1 / (1 + std::exp(-score));
      }
      sum += score;
    }
    if (softmax) {
      for (double& score : scores) score /= sum;
    }

    taken.assign(experts, 0);
    double total = 0;
    for (int64_t i = 0; i < k; ++i) {
      int64_t best = -1;
      double most = 0;
      for (int64_t e = 0; e < experts; ++e) {
        if (taken[e]) continue;
        double value = scores[e];
        if (bias_.has_value()) value += GetRaw<float>(bias.at(e));
        if (best < 0 || (BUG == 5 ? value >= most : value > most)) {
          best = e;
          most = value;
        }
      }
      if (best < 0) best = 0;
      taken[best] = 1;
      chosen[i] = BUG == 6 ? most : scores[best];
      total += chosen[i];
      load[best] += 1;
#if BUG == 2
      PutRaw<int64_t>(DataOf(ids) + (t * k + i) * 8, best);
#else
      PutRaw<int32_t>(DataOf(ids) + (t * k + i) * 4, static_cast<int32_t>(best));
#endif
    }
    bool divide = BUG == 7 ? renormalize && softmax : renormalize;
    for (int64_t i = 0; i < k; ++i) {
      double weight = divide ? chosen[i] / std::max(total, 1e-20) : chosen[i];
      PutRaw<float>(DataOf(weights) + (t * k + i) * 4, static_cast<float>(weight * routed_scale));
    }
  }
  if (counts_.has_value()) {
    for (int64_t e = 0; e < experts; ++e) {
#if BUG == 8
      load[e] += GetRaw<int32_t>(counts.at(e));
#endif
      PutRaw<int32_t>(counts.at(e), load[e]);
    }
  }
  return ffi::Tuple<Tensor, Tensor>(weights, ids);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(moe_route, MoeRoute);
