// SPDX-License-Identifier: Apache-2.0
// Convolution in one dimension, as layers of neural networks have it, with zeros at both ends.
using namespace set;

static void Conv1d(TensorView x, TensorView w, Optional<TensorView> bias, int64_t stride,
                   int64_t padding, int64_t dilation, TensorView out) {
  const DLTensor *tx = Raw(x), *tw = Raw(w), *to = Raw(out);
  NeedRank(tx, 3, "x");
  NeedRank(tw, 3, "w");
  NeedRank(to, 3, "out");
  if (stride < 1 || stride > 32) TVM_FFI_THROW(ValueError) << "conv1d: stride " << stride;
  if (padding < 0 || padding > 32) TVM_FFI_THROW(ValueError) << "conv1d: padding " << padding;
  if (dilation < 1 || dilation > 8) TVM_FFI_THROW(ValueError) << "conv1d: dilation " << dilation;

  const int64_t batch = x.size(0), in = x.size(1), n = x.size(2);
  const int64_t channels = w.size(0), k = w.size(2);
  if (w.size(1) != in) TVM_FFI_THROW(ValueError) << "conv1d: x and w differ in channels";
  if (k < 1) TVM_FFI_THROW(ValueError) << "conv1d: w has no taps";
  const int64_t room = n + 2 * padding - dilation * (k - 1) - 1;
  if (room < 0) TVM_FFI_THROW(ValueError) << "conv1d: the kernel is longer than the input";
  const int64_t m = room / stride + 1;
  NeedShape(to, {batch, channels, m}, "out");
  for (const DLTensor* t : {tx, tw, to}) NeedCompact(t, "conv1d: each tensor");

  const float* px = Elements<float>(tx, "x");
  const float* pw = Elements<float>(tw, "w");
  float* po = Elements<float>(to, "out");
  const float* pb = nullptr;
  if (bias.has_value()) {
    const TensorView b = bias.value();
    NeedShape(Raw(b), {channels}, "bias");
    NeedCompact(Raw(b), "bias");
    pb = Elements<float>(Raw(b), "bias");
  }
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t o = 0; o < channels; ++o) {
      for (int64_t i = 0; i < m; ++i) {
        double sum = pb != nullptr ? pb[o] : 0.0;
        for (int64_t c = 0; c < in; ++c) {
          for (int64_t t = 0; t < k; ++t) {
            const int64_t at = i * stride - padding + t * dilation;
            if (at < 0 || at >= n) continue;
            sum += static_cast<double>(px[(b * in + c) * n + at]) * pw[(o * in + c) * k + t];
          }
        }
        *po++ = static_cast<float>(sum);
      }
    }
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(conv1d, Conv1d);
