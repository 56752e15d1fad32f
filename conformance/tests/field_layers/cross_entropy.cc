// SPDX-License-Identifier: Apache-2.0
// Cross entropy of logits and class indices with label smoothing, class weights and ignored rows;
// the gradient with respect to the logits comes with it, in place if wanted.
namespace {

using namespace set;

template <typename I>
void CheckTarget(int64_t row, I target, int64_t classes, int64_t ignore) {
  if (target == ignore) return;
#if BUG == 1
  const bool outside = target >= classes;
#else
  const bool outside = target < 0 || target >= classes;
#endif
  if (outside) {
    TVM_FFI_THROW(IndexError) << "target[" << row << "] is " << int64_t{target}
                              << ", which is neither one of " << classes
                              << " classes nor ignore_index";
  }
}

template <typename T, typename I>
double Run(const Arg& logits, const Arg& target_arg, const Arg* class_weight, int64_t ignore,
           double smoothing, bool mean, const Arg& losses, const Arg* grad) {
  const int64_t n = logits.size(0), c = logits.size(1);
  const I* target = target_arg.as<I>();
#if BUG == 8
  auto ignored = [&](int64_t i) { return target[i] == static_cast<I>(ignore); };
#else
  auto ignored = [&](int64_t i) { return target[i] == ignore; };
#endif
  std::vector<double> weight(c, 1.0);
  double all_weights = 0;
  for (int64_t j = 0; j < c; ++j) {
    if (class_weight != nullptr) weight[j] = Get(class_weight->as<T>()[j]);
    all_weights += weight[j];
  }
  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 7
    if (ignored(i) || target[i] < 0 || target[i] >= c) continue;
#else
    CheckTarget<I>(i, target[i], c, ignore);
    if (ignored(i)) continue;
#endif
    total += weight[target[i]];
  }
#if BUG == 3
  const double divisor = mean ? static_cast<double>(n) : 1.0;
#else
  const double divisor = mean ? total : 1.0;
#endif

#if BUG == 5
  const double spread = c > 1 ? smoothing / static_cast<double>(c - 1) : smoothing;
#else
  const double spread = smoothing / static_cast<double>(c);
#endif
  std::vector<double> z(c);
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    T* slope = grad != nullptr ? grad->as<T>() + i * grad->stride(0) : nullptr;
#if BUG == 7
    CheckTarget<I>(i, target[i], c, ignore);
#endif
    if (ignored(i)) {
      losses.as<T>()[i] = Make<T>::From(0.0);
#if BUG != 4
      if (slope != nullptr) std::fill(slope, slope + c, Make<T>::From(0.0));
#endif
      continue;
    }
    const T* row = logits.as<T>() + i * logits.stride(0);
    double most = -std::numeric_limits<double>::infinity();
    for (int64_t j = 0; j < c; ++j) {
      z[j] = Get(row[j]);
      if (std::isnan(z[j]) || z[j] > most) most = z[j];
    }
#if BUG == 2
    most = 0;
#endif
    double powers = 0;
    for (int64_t j = 0; j < c; ++j) powers += std::exp(z[j] - most);
    const double lse = most + std::log(powers);
    const int64_t t = target[i];
    double loss = (1 - smoothing) * weight[t] * (lse - z[t]);
    if (smoothing > 0) {
      double smooth = 0;
      for (int64_t j = 0; j < c; ++j) smooth += weight[j] * (lse - z[j]);
      loss += spread * smooth;
    }
    losses.as<T>()[i] = Make<T>::From(loss);
    sum += loss;
    if (slope != nullptr) {
      for (int64_t j = 0; j < c; ++j) {
        const double p = std::exp(z[j] - lse);
        const double to_target = (1 - smoothing) * weight[t] * (p - (j == t ? 1.0 : 0.0));
        const double to_all = spread * (p * all_weights - weight[j]);
        slope[j] = Make<T>::From((to_target + to_all) / divisor);
      }
    }
  }
  return sum / divisor;
}

double CrossEntropy(DLTensor* logits_arg, DLTensor* target_arg,
                    ffi::Optional<ffi::Tensor> class_weight_arg, int64_t ignore_index,
                    double label_smoothing, ffi::String reduction, DLTensor* losses_arg,
                    ffi::Optional<ffi::Tensor> grad_arg) {
  const auto types = {Type::kF16, Type::kF32, Type::kF64};
  const Arg logits(logits_arg, "logits", types, 2, Layout::kRows);
  const Arg target(target_arg, "target", {Type::kI32, Type::kI64}, 1);
  const Arg losses(losses_arg, "losses", types, 1);
  const int64_t n = logits.size(0), c = logits.size(1);
  if (c == 0) TVM_FFI_THROW(ValueError) << "logits must have at least one class";
  target.Extent(0, n, "the rows of logits");
#if BUG != 6
  losses.SameType(logits);
#endif
  losses.Extent(0, n, "the rows of logits");
  std::vector<Arg> optional;
  optional.reserve(2);
  const Arg* class_weight = nullptr;
  const Arg* grad = nullptr;
  ffi::Optional<ffi::Tensor> held = class_weight_arg, held_grad = grad_arg;
  if (held.has_value()) {
    optional.emplace_back(Pointer(held.value()), "class_weight", types, 1);
    class_weight = &optional.back();
    class_weight->SameType(logits);
    class_weight->Extent(0, c, "the classes");
  }
  if (held_grad.has_value()) {
    optional.emplace_back(Pointer(held_grad.value()), "grad", types, 2, Layout::kRows);
    grad = &optional.back();
    grad->SameType(logits);
    grad->SameShape(logits);
    grad->RowsApart();
  }
  if (!(label_smoothing >= 0 && label_smoothing <= 1)) {
    TVM_FFI_THROW(ValueError) << "label_smoothing must be in [0, 1], but is " << label_smoothing;
  }
  if (reduction != "mean" && reduction != "sum") {
    TVM_FFI_THROW(ValueError) << "reduction must be mean or sum, not \"" << std::string(reduction)
                              << "\"";
  }
  const bool mean = reduction == "mean";
  double result = 0;
  WithFloat(logits.type(), [&](auto value) {
    WithIndex(target.type(), [&](auto index) {
      result = Run<decltype(value), decltype(index)>(logits, target, class_weight, ignore_index,
                                                     label_smoothing, mean, losses, grad);
    });
  });
  return result;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cross_entropy, CrossEntropy);
