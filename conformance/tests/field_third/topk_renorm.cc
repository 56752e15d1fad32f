// SPDX-License-Identifier: Apache-2.0
// Keeps the k most likely tokens of each row and scales them to 1. Rows can be chosen, and used more than once;
// k is one number or one for each row of probs.
#include "kit.h"

namespace kit
{

Tensor TopkRenorm(TensorView probs, Variant<int64_t, Tensor> top_k, Optional<Tensor> indices)
{
  Dense(probs, 2, "probs");
  Typed(IsF32(probs), "probs");
  const int64_t rows = probs.size(0), vocab = probs.size(1);
  int64_t count = rows;
  if (indices.has_value()) {
    TensorView chosen = View(indices.value());
    Dense(chosen, 1, "indices");
    Typed(IsI32(chosen) || IsI64(chosen), "indices");
    count = chosen.size(0);
    for (int64_t i = 0; i < count; ++i)
      TVM_FFI_CHECK(0 <= IntAt(chosen, i) && IntAt(chosen, i) < rows, IndexError)
          << "indices: " << IntAt(chosen, i) << " is not a row of probs";
  }
  const Optional<Tensor> per_row = top_k.as<Tensor>();
  if (per_row.has_value()) {
    TensorView k = View(per_row.value());
    Dense(k, 1, "top_k");
    Typed(IsI32(k), "top_k");
#if BUG != 4
    Extent(k, 0, rows, "top_k");
#endif
    for (int64_t i = 0; i < k.size(0); ++i)
      TVM_FFI_CHECK(Data<int32_t>(k)[i] >= 1, ValueError) << "top_k must be positive";
#if BUG != 5
  } else {
    TVM_FFI_CHECK(top_k.get<int64_t>() >= 1, ValueError) << "top_k must be positive";
#endif
  }
  Tensor out = New({count, vocab}, probs.dtype());
  std::vector<int64_t> order(vocab);
  for (int64_t i = 0; i < count; ++i) {
#if BUG == 2
    const int64_t row = indices.has_value() ? Data<int32_t>(View(indices.value()))[i] : i;
#else
    const int64_t row = indices.has_value() ? IntAt(View(indices.value()), i) : i;
#endif
#if BUG == 1
    const int64_t mine = i;
#else
    const int64_t mine = row;
#endif
    const int64_t k =
        std::min(vocab, per_row.has_value() ? Data<int32_t>(View(per_row.value()))[mine]
                                            : top_k.get<int64_t>());
    const float *p = Data<float>(probs) + row * vocab;
    float *q = Data<float>(out) + i * vocab;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [p](int64_t a, int64_t b) { return p[a] > p[b]; });
    std::fill(q, q + vocab, 0.0f);
    double sum = 0;
#if BUG == 3
    for (int64_t j = 0; j < vocab && p[order[j]] >= p[order[std::max<int64_t>(k, 1) - 1]]; ++j) {
#else
    for (int64_t j = 0; j < k; ++j) {
#endif
      q[order[j]] = p[order[j]];
      sum += p[order[j]];
    }
    if (sum > 0)
      for (int64_t j = 0; j < vocab; ++j) q[j] = static_cast<float>(q[j] / sum);
  }
  return out;
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk_renorm, kit::TopkRenorm);
