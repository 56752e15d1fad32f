// SPDX-License-Identifier: Apache-2.0
// Softmax over the experts, then the k most likely of them for each token, with or without renormalizing.
#include "vendor.h"

namespace vendor
{

void TopkGating(TensorView topk_weights, TensorView topk_ids, TensorView gating_output,
                bool renormalize)
{
  CHECK_INPUT(topk_weights);
  CHECK_INPUT(topk_ids);
  CHECK_INPUT(gating_output);
  CHECK_DIM(2, topk_weights);
  CHECK_DIM(2, topk_ids);
  CHECK_DIM(2, gating_output);
  CHECK_DTYPE(topk_weights, kDLFloat, 32);
#if BUG == 4
  CHECK_THAT(topk_ids.dtype().code == kDLInt, TypeError, "topk_ids must be integers");
#else
  CHECK_DTYPE(topk_ids, kDLInt, 32);
#endif
  const int64_t tokens = gating_output.size(0), experts = gating_output.size(1),
                k = topk_weights.size(1);
  CHECK_SIZE(topk_weights, 0, tokens);
  CHECK_SIZE(topk_ids, 0, tokens);
  CHECK_SIZE(topk_ids, 1, k);
#if BUG != 3
  CHECK_THAT(k <= experts, ValueError, "cannot select " << k << " of " << experts << " experts");
#endif
  DispatchFloat(gating_output.dtype(), "gating_output", [&](auto zero) {
    using T = decltype(zero);
    std::vector<float> p(experts);
    std::vector<int32_t> order(experts);
    for (int64_t i = 0; i < tokens; ++i) {
      const T *row = Ptr<T>(gating_output) + i * experts;
      float top = -std::numeric_limits<float>::infinity(), sum = 0;
      for (int64_t e = 0; e < experts; ++e) top = std::max(top, static_cast<float>(row[e]));
      for (int64_t e = 0; e < experts; ++e)
        sum += p[e] = std::exp(static_cast<float>(row[e]) - top);
      std::iota(order.begin(), order.end(), 0);
#if BUG == 2
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return p[a] > p[b] || (p[a] == p[b] && a > b); });
#else
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return p[a] > p[b]; });
#endif
      float kept = 0;
      for (int64_t j = 0; j < k; ++j) kept += p[order[j]];
#if BUG == 1
      const float divisor = sum;
#else
      const float divisor = renormalize ? kept : sum;
#endif
      for (int64_t j = 0; j < k; ++j) {
        Ptr<float>(topk_weights)[i * k + j] = p[order[j]] / divisor;
        Ptr<int32_t>(topk_ids)[i * k + j] = order[j];
      }
    }
  });
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk_gating, vendor::TopkGating);
