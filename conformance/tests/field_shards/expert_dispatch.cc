// SPDX-License-Identifier: Apache-2.0
// Sorts tokens by the expert that they go to, and brings back what experts made of them.
//
// expert_dispatch(expert_ids, num_experts, capacity, order, offsets, slots)
//   expert_ids  int32 (t, k): -1 is an expert of another rank, and left out
//   capacity    how many tokens an expert takes, the first ones; None: all
//   order       int32 (t * k): the token in each slot, in the order of experts, then of tokens;
//               -1 behind the last one
//   offsets     int32 (num_experts + 1): expert e has the slots offsets[e] to offsets[e + 1]
//   slots       int32 (t, k): the slot of each choice, or -1
// expert_combine(expert_out, slots, weights, residual, out)
//   expert_out  float32, float16 or bfloat16 (n, d): a row for each slot
//   weights     float32 (t, k)
//   residual    (t, d), the type of expert_out, or None
//   out         (t, d), the type of expert_out; may be residual
//   out = residual + the sum of weights * expert_out[slots], where slots is not -1
namespace {

using namespace set;

void Dispatch(TensorView expert_ids, int64_t num_experts, Optional<int64_t> capacity,
              TensorView order, TensorView offsets, TensorView slots) {
  CheckType("expert_ids", expert_ids, Type(kDLInt, 32));
  CheckBasics("expert_ids", expert_ids, 2);
  CheckCompact("expert_ids", expert_ids);
  int64_t t = expert_ids.shape()[0], k = expert_ids.shape()[1], n = Count(expert_ids);
  if (n > std::numeric_limits<int32_t>::max()) {
    TVM_FFI_THROW(ValueError) << "expert_ids is too large: " << ShapeText(expert_ids);
  }
  if (num_experts < 1 || num_experts > 65536) {
    TVM_FFI_THROW(ValueError) << "num_experts must be 1 to 65536, not " << num_experts;
  }
  int64_t most = std::numeric_limits<int64_t>::max();
  if (capacity.has_value()) {
    most = capacity.value();
    if (most < 1) TVM_FFI_THROW(ValueError) << "capacity must be at least 1, not " << most;
  }
  CheckType("order", order, Type(kDLInt, 32));
  CheckBasics("order", order, 1);
  CheckExtent("order", order, 0, n, "elements of expert_ids");
  CheckCompact("order", order);
  CheckType("offsets", offsets, Type(kDLInt, 32));
  CheckBasics("offsets", offsets, 1);
  CheckExtent("offsets", offsets, 0, num_experts + 1, "num_experts, and 1");
  CheckCompact("offsets", offsets);
  CheckType("slots", slots, Type(kDLInt, 32));
  CheckBasics("slots", slots, 2);
  CheckExtent("slots", slots, 0, t, "rows of expert_ids");
  CheckExtent("slots", slots, 1, k, "columns of expert_ids");
  CheckCompact("slots", slots);
  const int32_t* ids = As<int32_t>(expert_ids);
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 3
    if (ids[i] < -1 || ids[i] > num_experts) {
#else
    if (ids[i] < -1 || ids[i] >= num_experts) {
#endif
      TVM_FFI_THROW(ValueError) << "expert_ids must be -1 to " << num_experts - 1 << ", not "
                                << ids[i];
    }
  }
  std::vector<int32_t> count(num_experts + 1), next(num_experts + 1);
  for (int64_t i = 0; i < n; ++i) {
    if (ids[i] >= 0 && (count[ids[i]] < most || BUG == 7)) ++count[ids[i]];
  }
  int32_t* start = As<int32_t>(offsets);
  start[0] = 0;
  for (int64_t e = 0; e < num_experts; ++e) {
    next[e] = start[e];
    start[e + 1] = start[e] + count[e];
  }
  int32_t* token = As<int32_t>(order);
  int32_t* slot = As<int32_t>(slots);
#if BUG == 4
  for (int64_t i = 0; i < n && capacity.has_value(); ++i) token[i] = -1;
#else
  for (int64_t i = 0; i < n; ++i) token[i] = -1;
#endif
  for (int64_t j = 0; j < n; ++j) {
#if BUG == 2
    int64_t i = capacity.has_value() ? j : n - 1 - j;
#else
    int64_t i = j;
#endif
    slot[i] = -1;
    if (ids[i] < 0) continue;
    int32_t at = next[ids[i]];
#if BUG == 1
    if (at - start[ids[i]] > most) continue;
#else
    if (at - start[ids[i]] >= most) continue;
#endif
    next[ids[i]] = at + 1;
    slot[i] = at;
    token[at] = static_cast<int32_t>(i / k);
  }
}

void Combine(TensorView expert_out, TensorView slots, TensorView weights,
             Optional<Tensor> residual, TensorView out) {
  Real kind = CheckReal("expert_out", expert_out);
  CheckBasics("expert_out", expert_out, 2);
  CheckCompact("expert_out", expert_out);
  int64_t n = expert_out.shape()[0], d = expert_out.shape()[1];
  CheckType("slots", slots, Type(kDLInt, 32));
  CheckBasics("slots", slots, 2);
  CheckCompact("slots", slots);
  int64_t t = slots.shape()[0], k = slots.shape()[1];
  CheckType("weights", weights, Type(kDLFloat, 32));
  CheckBasics("weights", weights, 2);
  CheckExtent("weights", weights, 0, t, "rows of slots");
  CheckExtent("weights", weights, 1, k, "columns of slots");
  CheckCompact("weights", weights);
  CheckType("out", out, expert_out.dtype());
  CheckBasics("out", out, 2);
  CheckExtent("out", out, 0, t, "rows of slots");
  CheckExtent("out", out, 1, d, "columns of expert_out");
  CheckCompact("out", out);
  const void* base = nullptr;
  if (residual.has_value()) {
    TensorView view = View(residual.value());
    CheckType("residual", view, expert_out.dtype());
    CheckBasics("residual", view, 2);
    CheckExtent("residual", view, 0, t, "rows of slots");
    CheckExtent("residual", view, 1, d, "columns of expert_out");
    CheckCompact("residual", view);
    base = Data(view);
  }
  const int32_t* slot = As<int32_t>(slots);
  for (int64_t i = 0; i < t * k; ++i) {
#if BUG == 6
    if (slot[i] < -1 || slot[i] > n) {
#else
    if (slot[i] < -1 || slot[i] >= n) {
#endif
      TVM_FFI_THROW(ValueError) << "slots must be -1 to " << n - 1 << ", not " << slot[i];
    }
  }
  const float* weight = As<float>(weights);
  const void* rows = Data(expert_out);
  void* result = Data(out);
#if BUG == 8
  for (int64_t i = 0; i < t * d; ++i) Store(result, i, kind, 0.0f);
#endif
#if BUG == 5
  if (kind == Real::kBfloat16) base = nullptr;
#endif
  for (int64_t r = 0; r < t; ++r) {
    for (int64_t c = 0; c < d; ++c) {
      double sum = base == nullptr ? 0 : Load(base, r * d + c, kind);
      for (int64_t j = 0; j < k; ++j) {
        int64_t s = slot[r * k + j];
        if (s < 0) continue;
        sum += static_cast<double>(weight[r * k + j]) * Load(rows, s * d + c, kind);
      }
      Store(result, r * d + c, kind, static_cast<float>(sum));
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(expert_dispatch, Dispatch);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(expert_combine, Combine);
