// SPDX-License-Identifier: Apache-2.0
// One decoding step of a causal depthwise convolution (Mamba). x is overwritten by the result, the
// window of each sequence moves on by one. A slot of -1 is padding: its row of x stays as it is.
namespace {
using tvm::ffi::Optional;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

template <class T>
void step(const TensorView& x, const TensorView& state, const TensorView& weight, const T* bias,
          const int32_t* slots, bool silu) {
  const int64_t b = x.shape()[0], d = x.shape()[1], k = state.shape()[2];
  const std::vector<int64_t> sx = set::strides_of(x), ss = set::strides_of(state);
  for (int64_t i = 0; i < b; ++i) {
    const int64_t slot = slots ? slots[i] : i;
    if (slot < 0) continue;
    for (int64_t c = 0; c < d; ++c) {
      T& xi = set::ptr<T>(x)[i * sx[0] + c * sx[1]];
      T* window = set::ptr<T>(state) + slot * ss[0] + c * ss[1];
      const T* w = set::ptr<T>(weight) + c * (k + 1);
      double sum = bias ? double(bias[c]) : 0.0;
      for (int64_t j = 0; j < k; ++j) sum += double(window[j * ss[2]]) * double(w[j]);
      sum += double(xi) * double(w[k]);
      for (int64_t j = 0; j + 1 < k; ++j) window[j * ss[2]] = window[(j + 1) * ss[2]];
      if (k > 0) window[(k - 1) * ss[2]] = xi;
      xi = set::to<T>(silu ? sum / (1 + std::exp(-sum)) : sum);
    }
  }
}

void conv_update(TensorView x, TensorView state, TensorView weight, Optional<Tensor> bias,
                 Optional<Tensor> slots, bool silu) {
  for (const TensorView& t : {x, state}) {
    TVM_FFI_CHECK(set::on_cpu(t), ValueError) << "expected a CPU tensor";
    TVM_FFI_CHECK(set::aligned(t), ValueError) << "unaligned tensor";
  }
  TVM_FFI_CHECK_EQ(x.ndim(), 2, ValueError) << "x must be (batch, dim)";
  TVM_FFI_CHECK_EQ(state.ndim(), 3, ValueError) << "state must be (slots, dim, width - 1)";
  set::need_dense(weight, "weight", 2);
  const int64_t d = x.shape()[1];
  TVM_FFI_CHECK_EQ(state.shape()[1], d, ValueError) << "state";
  TVM_FFI_CHECK_EQ(weight.shape()[0], d, ValueError) << "weight";
  TVM_FFI_CHECK_EQ(weight.shape()[1], state.shape()[2] + 1, ValueError) << "weight";
  TVM_FFI_CHECK(set::same(x.dtype(), state.dtype()) && set::same(x.dtype(), weight.dtype()),
                TypeError) << "x, state and weight must have one dtype";
  if (bias.has_value()) {
    set::need_dense(*bias, "bias", 1);
    TVM_FFI_CHECK(set::same((*bias).dtype(), x.dtype()), TypeError) << "dtype of bias";
    TVM_FFI_CHECK_EQ((*bias).shape()[0], d, ValueError) << "bias";
  }
  const int32_t* at = nullptr;
  if (slots.has_value()) {
    set::need_dense(*slots, "slots", 1);
    TVM_FFI_CHECK(set::is_i32((*slots).dtype()), TypeError) << "slots must be int32";
    TVM_FFI_CHECK_EQ((*slots).shape()[0], x.shape()[0], ValueError) << "slots";
    at = set::ptr<int32_t>(*slots);
    for (int64_t i = 0; i < x.shape()[0]; ++i) {
      TVM_FFI_CHECK(at[i] >= -1 && at[i] < state.shape()[0], IndexError) << "slot " << at[i];
    }
  } else {
    TVM_FFI_CHECK_LE(x.shape()[0], state.shape()[0], ValueError) << "a slot for each sequence";
  }
  if (!set::for_float(x.dtype(), [&](auto t) {
        using T = decltype(t);
        step<T>(x, state, weight, bias.has_value() ? set::ptr<T>(*bias) : nullptr, at, silu);
      })) {
    TVM_FFI_THROW(TypeError) << "unsupported dtype";
  }
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(conv_update, conv_update);
