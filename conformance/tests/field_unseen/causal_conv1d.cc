// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution along time that sees no later input, with an optional bias and an optional SiLU.
#include "vendor.h"

namespace vendor
{

void CausalConv1d(TensorView x, TensorView weight, Optional<TensorView> bias,
                  Optional<String> activation, TensorView out)
{
  CHECK_INPUT(x);
  CHECK_INPUT(weight);
  CHECK_INPUT(out);
  CHECK_DIM(3, x);
  CHECK_DIM(2, weight);
  CHECK_DIM(3, out);
  CHECK_DTYPE(x, kDLFloat, 32);
  CHECK_DTYPE(weight, kDLFloat, 32);
  CHECK_DTYPE(out, kDLFloat, 32);
  const int64_t batch = x.size(0), channels = x.size(1), length = x.size(2), width = weight.size(1);
  CHECK_SIZE(weight, 0, channels);
  CHECK_SIZE(out, 0, batch);
  CHECK_SIZE(out, 1, channels);
  CHECK_SIZE(out, 2, length);
  const float *b = nullptr;
  if (bias.has_value()) {
    TensorView given = bias.value();
    CHECK_INPUT(given);
    CHECK_DIM(1, given);
#if BUG != 5
    CHECK_DTYPE(given, kDLFloat, 32);
#endif
    CHECK_SIZE(given, 0, channels);
    b = Ptr<float>(given);
  }
#if BUG == 4
  const bool silu = activation.has_value();
#else
  const bool silu = activation.has_value();
  if (silu) {
    const std::string name = activation.value();
    CHECK_THAT(name == "silu" || name == "swish", ValueError,
               "unknown activation \"" << name << "\"");
  }
#endif
  for (int64_t c = 0; c < batch * channels; ++c) {
    const float *in = Ptr<float>(x) + c * length, *w = Ptr<float>(weight) + c % channels * width;
    float *to = Ptr<float>(out) + c * length;
    for (int64_t t = 0; t < length; ++t) {
#if BUG == 2
      float sum = b[c % channels];
#else
      float sum = b ? b[c % channels] : 0;
#endif
      for (int64_t k = 0; k < width; ++k) {
        const int64_t at = t - (width - 1) + k;
#if BUG == 1
        if (c * length + at >= 0) sum += w[k] * in[at];
#elif BUG == 3
        if (at >= 0) sum += w[width - 1 - k] * in[at];
#else
        if (at >= 0) sum += w[k] * in[at];
#endif
      }
      to[t] = silu ? sum / (1 + std::exp(-sum)) : sum;
    }
  }
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(causal_conv1d, vendor::CausalConv1d);
