// SPDX-License-Identifier: Apache-2.0
// Keeps the most likely tokens of each row up to a share p of the probability, and scales them to a sum of 1.
#include "vendor.h"

namespace vendor
{

void TopPRenorm(TensorView probs, Variant<double, Tensor> top_p, TensorView out)
{
  CHECK_INPUT(probs);
  CHECK_INPUT(out);
  CHECK_DIM(2, probs);
  CHECK_DIM(2, out);
  CHECK_DTYPE(probs, kDLFloat, 32);
  CHECK_DTYPE(out, kDLFloat, 32);
  const int64_t batch = probs.size(0), vocab = probs.size(1);
  CHECK_SIZE(out, 0, batch);
  CHECK_SIZE(out, 1, vocab);
  std::vector<double> share(batch);
  if (auto one = top_p.as<double>()) {
    std::fill(share.begin(), share.end(), *one);
  } else {
    Tensor given = top_p.get<Tensor>();
    CHECK_THAT(given.defined(), TypeError, "top_p must not be None");
    CHECK_INPUT(given);
    CHECK_DIM(1, given);
    CHECK_DTYPE(given, kDLFloat, 32);
#if BUG != 1
    CHECK_SIZE(given, 0, batch);
#endif
#if BUG == 2
    for (int64_t i = 0; i < batch; ++i) share[i] = Ptr<float>(given)[0];
#else
    for (int64_t i = 0; i < batch; ++i) share[i] = Ptr<float>(given)[i];
#endif
  }
#if BUG != 3
  for (double p : share) CHECK_THAT(p > 0 && p <= 1, ValueError, "top_p must be in (0, 1]");
#endif
#if BUG == 5
  static std::vector<int64_t> order;
  order.resize(vocab);
#else
  std::vector<int64_t> order(vocab);
#endif
  for (int64_t i = 0; i < batch; ++i) {
    const float *p = Ptr<float>(probs) + i * vocab;
    float *to = Ptr<float>(out) + i * vocab;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [p](int64_t a, int64_t b) { return p[a] > p[b]; });
    double sum = 0;
    int64_t kept = 0;
    while (kept < vocab && (kept == 0 || sum < share[i])) sum += p[order[kept++]];
#if BUG != 4
    std::fill_n(to, vocab, 0.0f);
#endif
    for (int64_t j = 0; j < kept; ++j) to[order[j]] = static_cast<float>(p[order[j]] / sum);
  }
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(top_p_renorm, vendor::TopPRenorm);
