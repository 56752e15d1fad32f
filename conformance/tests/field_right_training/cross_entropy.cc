// SPDX-License-Identifier: Apache-2.0
// Softmax cross entropy with class weights, label smoothing and, if asked for, the gradient in one
// pass. Rows with a negative target are ignored.
namespace {
using namespace tvm::ffi;

Tensor cross_entropy(TensorView logits, TensorView target, Optional<TensorView> weight,
                     Optional<TensorView> grad, const String& reduction, double smoothing) {
  TVM_FFI_CHECK(reduction == "none" || reduction == "mean" || reduction == "sum", ValueError)
      << "'" << reduction << "' is not a valid value for reduction";
  TVM_FFI_CHECK(smoothing >= 0 && smoothing <= 1, ValueError) << "label_smoothing: " << smoothing;
  TVM_FFI_CHECK(logits.ndim() == 2, ValueError) << "logits must be (N, C)";
  TVM_FFI_CHECK(set::on_cpu(logits) && set::aligned(logits), ValueError) << "logits";
  TVM_FFI_CHECK(set::is_f32(logits.dtype()), TypeError) << "logits must be float32";
  set::need_dense(target, "target", 1);
  TVM_FFI_CHECK(set::is_i64(target.dtype()), TypeError) << "target must be int64";
  const int64_t n = logits.shape()[0], c = logits.shape()[1];
  TVM_FFI_CHECK(target.shape()[0] == n, ValueError) << "target must be (N)";
  TVM_FFI_CHECK(c > 0 || n == 0, ValueError) << "no classes";
  const int64_t* label = set::ptr<int64_t>(target);
  for (int64_t i = 0; i < n; ++i) {
    TVM_FFI_CHECK(label[i] < c, IndexError) << "Target " << label[i] << " is out of bounds.";
  }
  const float* cw = nullptr;
  if (weight.has_value()) {
    set::need_dense(*weight, "weight", 1);
    TVM_FFI_CHECK(set::is_f32((*weight).dtype()), TypeError) << "weight must be float32";
    TVM_FFI_CHECK((*weight).shape()[0] == c, ValueError) << "weight must be (C)";
    cw = set::ptr<float>(*weight);
  }
  float* dl = nullptr;
  if (grad.has_value()) {
    set::need_dense(*grad, "grad", 2);
    TVM_FFI_CHECK(set::is_f32((*grad).dtype()), TypeError) << "grad must be float32";
    TVM_FFI_CHECK(set::same_shape(*grad, logits), ValueError) << "grad must be (N, C)";
    dl = set::ptr<float>(*grad);
  }

  auto w = [&](int64_t k) { return cw ? static_cast<double>(cw[k]) : 1.0; };
  double divisor = 0;
  for (int64_t i = 0; i < n; ++i) divisor += label[i] < 0 ? 0.0 : w(label[i]);
  const double share = reduction != "mean" ? 1 : divisor == 0 ? 0 : 1 / divisor;
  const std::vector<int64_t> s = set::strides_of(logits);
  const float* in = set::ptr<float>(logits);
  std::vector<double> aim(static_cast<size_t>(c));  // what softmax should be, times the weight
  std::vector<float> losses(static_cast<size_t>(n), 0.0f);
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    auto x = [&](int64_t k) { return static_cast<double>(in[i * s[0] + k * s[1]]); };
    const bool counts = label[i] >= 0;
    double top = x(0), total = 0, loss = 0, whole = 0;
    for (int64_t k = 1; k < c; ++k) top = std::max(top, x(k));
    for (int64_t k = 0; k < c; ++k) total += std::exp(x(k) - top);
    const double lse = std::log(total) + top;
    for (int64_t k = 0; k < c; ++k) {
      aim[k] = counts ? smoothing / static_cast<double>(c) * w(k) : 0.0;
      if (k == label[i]) aim[k] += (1 - smoothing) * w(k);
      loss += aim[k] * (lse - x(k));
      whole += aim[k];
    }
    losses[i] = static_cast<float>(loss);
    sum += loss;
    for (int64_t k = 0; dl && k < c; ++k) {
      dl[i * c + k] = static_cast<float>((std::exp(x(k) - lse) * whole - aim[k]) * share);
    }
  }
  if (reduction == "none") {
    Tensor out = set::empty({n}, logits.dtype());
    std::copy(losses.begin(), losses.end(), set::ptr<float>(out));
    return out;
  }
  Tensor out = set::empty({}, logits.dtype());
  *set::ptr<float>(out) = static_cast<float>(sum * share);
  return out;
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cross_entropy, cross_entropy);
