// SPDX-License-Identifier: Apache-2.0
// One step of a causal convolution for each sequence of a batch: out is computed, the states are shifted.
// Slot -1 is padding: its output is zero, and it has no state.
#include "kit.h"

namespace kit
{

Tensor ConvStateUpdate(TensorView x, TensorView state, TensorView weight, Optional<Tensor> bias,
                       Optional<Tensor> slots, bool silu)
{
  Dense(x, 2, "x");
  OnHost(state, "state");
  Rank(state, 3, "state");
  Dense(weight, 2, "weight");
  Typed(SameDtype(x, state), "state");
  Typed(SameDtype(x, weight), "weight");
  const int64_t batch = x.size(0), dim = x.size(1), width = weight.size(1);
  Extent(weight, 0, dim, "weight");
  Extent(state, 1, dim, "state");
  TVM_FFI_CHECK(width >= 1, ValueError) << "weight: expected at least one column";
  Extent(state, 2, width - 1, "state");
  if (bias.has_value()) {
    TensorView b = View(bias.value());
    Dense(b, 1, "bias");
    Typed(SameDtype(x, b), "bias");
    Extent(b, 0, dim, "bias");
  }
  if (slots.has_value()) {
    TensorView s = View(slots.value());
    Dense(s, 1, "slots");
    Typed(IsI32(s), "slots");
#if BUG != 4
    Extent(s, 0, batch, "slots");
#endif
    for (int64_t i = 0; i < s.size(0); ++i)
#if BUG == 2
      TVM_FFI_CHECK(-1 <= Data<int32_t>(s)[i] && Data<int32_t>(s)[i] <= state.size(0), ValueError)
#else
      TVM_FFI_CHECK(-1 <= Data<int32_t>(s)[i] && Data<int32_t>(s)[i] < state.size(0), ValueError)
#endif
          << "slots: " << Data<int32_t>(s)[i] << " is not a state";
  } else {
    Extent(state, 0, batch, "state");
  }
  Tensor out = New({batch, dim}, x.dtype());
  ForFloats(x, "x", [&](auto zero) {
    using T = decltype(zero);
    for (int64_t b = 0; b < batch; ++b) {
      const int64_t slot = slots.has_value() ? Data<int32_t>(View(slots.value()))[b] : b;
      T *to = Data<T>(out) + b * dim;
      if (slot < 0) {
#if BUG != 3
        std::fill(to, to + dim, T(0.0f));
#endif
        continue;
      }
      for (int64_t c = 0; c < dim; ++c) {
#if BUG == 1
        T *past = Data<T>(state) + (slot * dim + c) * (width - 1);
        const int64_t step = 1;
#else
        T *past = Data<T>(state) + slot * state.stride(0) + c * state.stride(1);
        const int64_t step = state.stride(2);
#endif
        const T *w = Data<T>(weight) + c * width;
        const float now = Data<T>(x)[b * dim + c];
        float sum = bias.has_value() ? static_cast<float>(Data<T>(View(bias.value()))[c]) : 0.0f;
        for (int64_t j = 0; j + 1 < width; ++j)
          sum += static_cast<float>(past[j * step]) * static_cast<float>(w[j]);
        sum += now * static_cast<float>(w[width - 1]);
        for (int64_t j = 0; j + 2 < width; ++j) past[j * step] = past[(j + 1) * step];
#if BUG == 5
        if (width > 1) past[(width - 2) * step] = T(silu ? sum : now);
#else
        if (width > 1) past[(width - 2) * step] = T(now);
#endif
        to[c] = T(silu ? sum / (1.0f + std::exp(-sum)) : sum);
      }
    }
  });
  return out;
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(conv_state_update, kit::ConvStateUpdate);
