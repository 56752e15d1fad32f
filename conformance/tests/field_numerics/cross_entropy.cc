// SPDX-License-Identifier: Apache-2.0
// cross_entropy: the loss of a classifier, and its gradient.
//
// logits: (n, c) of float32 or float64, c >= 1, contiguous. target: (n) of int64 or int32, contiguous:
// 0 to c - 1, or ignore_index (rows without a loss). weight: (c) of the type of logits, or None: the
// weight of each class. label_smoothing: 0 to 1. reduction: "none", "sum" or "mean" (by the sum of the
// weights of the targets; NaN if that is 0). grad: (n, c) or None: the gradient of the sum of what is
// returned; 0 in ignored rows; it may be the memory of logits.
// Returns a new tensor: (n) with "none", else one element without dimensions.
// With eps = label_smoothing, w = weight and log p = log_softmax(logits):
//   loss = -(1 - eps) w[target] log p[target] - eps / c * sum(w log p)
// where a term with a factor of 0 is 0 (an eps of 0 makes no NaN of logits of -inf).
namespace {

using namespace set;

enum class Reduction { kNone, kSum, kMean };

template <typename I>
void CheckTarget(const DLTensor* target, int64_t classes, int64_t ignore) {
  const I* t = Data<I>(target);
  for (int64_t i = 0; i < target->shape[0]; ++i) {
    const int64_t v = t[i];
    SET_CHECK(v == ignore || ((BUG == 3 || v >= 0) && v < classes), IndexError)
        << "target[" << i << "] must be 0 to " << classes - 1 << " or ignore_index, not " << v;
  }
}

template <typename T, typename I>
void Run(const DLTensor* tlogits, const DLTensor* ttarget, const DLTensor* tweight, int64_t ignore,
         double eps, Reduction reduction, const DLTensor* tgrad, const DLTensor* tloss) {
  const int64_t n = tlogits->shape[0], c = tlogits->shape[1];
  const T* logits = Data<T>(tlogits);
  const I* target = Data<I>(ttarget);
  const T* weight = tweight != nullptr ? Data<T>(tweight) : nullptr;
  T* grad = tgrad != nullptr ? Data<T>(tgrad) : nullptr;
  T* out = Data<T>(tloss);
  auto w = [weight](int64_t j) { return weight != nullptr ? static_cast<double>(weight[j]) : 1.0; };

  double weights = 0;  // of the targets
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 2
    weights += target[i] == ignore ? 1 : w(target[i]);
#elif BUG == 4
    if (target[i] != ignore) weights += 1;
#else
    if (target[i] != ignore) weights += w(target[i]);
#endif
  }
  double all = 0;  // weights of all classes
  for (int64_t j = 0; j < c; ++j) all += w(j);
  const double share = eps / static_cast<double>(c);
  const double scale = reduction == Reduction::kMean ? 1 / weights : 1;

  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
    const T* x = logits + i * c;
    T* dx = grad != nullptr ? grad + i * c : nullptr;
    const int64_t at = target[i];
    if (at == ignore) {
#if BUG != 5
      if (dx != nullptr) std::fill(dx, dx + c, T(0));
#endif
      if (reduction == Reduction::kNone) out[i] = 0;
      continue;
    }
    double most = -std::numeric_limits<double>::infinity();
    for (int64_t j = 0; j < c; ++j) {
      const double v = static_cast<double>(x[j]);
      if (v > most || v != v) most = v;
      if (v != v) break;
    }
#if BUG == 1
    if (most == most) most = 0;
#endif
    double sum = 0;
    for (int64_t j = 0; j < c; ++j) sum += std::exp(static_cast<double>(x[j]) - most);
    const double log_sum = std::log(sum);
    auto log_p = [x, most, log_sum](int64_t j) {
      return (static_cast<double>(x[j]) - most) - log_sum;
    };
    auto loss_of_row = [&] {
      double loss = 0;
      const double own = (1 - eps) * w(at);
      if (own != 0) loss -= own * log_p(at);
      if (share != 0) {
        for (int64_t j = 0; j < c; ++j) {
          const double factor = BUG == 6 ? share : share * w(j);
          if (factor != 0) loss -= factor * log_p(j);
        }
      }
      return loss;
    };
    double loss = loss_of_row();
    if (dx != nullptr) {
      const double pull = (1 - eps) * w(at);
      const double push = pull + share * all;
      for (int64_t j = 0; j < c; ++j) {
        const double p = std::exp(log_p(j));
        double g = push * p - share * w(j);
        if (j == at) g -= pull;
        dx[j] = static_cast<T>(scale * g);
      }
    }
#if BUG == 7
    if (dx != nullptr) loss = loss_of_row();
#endif
    if (reduction == Reduction::kNone) {
      out[i] = static_cast<T>(loss);
    } else {
      total += loss;
    }
  }
  if (reduction != Reduction::kNone) out[0] = static_cast<T>(total * scale);
}

ffi::Tensor CrossEntropy(DLTensor* logits, DLTensor* target, ffi::Optional<ffi::Tensor> weight,
                         int64_t ignore_index, double label_smoothing, ffi::String reduction,
                         ffi::Optional<ffi::Tensor> grad) {
  CheckTensor(logits, "logits", {kF32, kF64});
  CheckRank(logits, "logits", 2);
  CheckCompact(logits, "logits");
  const int64_t n = logits->shape[0], c = logits->shape[1];
  SET_CHECK(c >= 1, ValueError) << "logits must have one class or more";
  CheckTensor(target, "target", {kI64, kI32});
  CheckShape(target, "target", {n});
  CheckCompact(target, "target");
  const DLTensor* tweight = Raw(weight);
  if (tweight != nullptr) {
    CheckTensor(tweight, "weight", {logits->dtype});
#if BUG == 8
    CheckRank(tweight, "weight", 1);
#else
    CheckShape(tweight, "weight", {c});
#endif
    CheckCompact(tweight, "weight");
  }
  SET_CHECK(label_smoothing >= 0 && label_smoothing <= 1, ValueError)
      << "label_smoothing must be 0 to 1, not " << label_smoothing;
  Reduction how = Reduction::kNone;
  if (reduction == "mean") {
    how = Reduction::kMean;
  } else if (reduction == "sum") {
    how = Reduction::kSum;
  } else {
    SET_CHECK(reduction == "none", ValueError)
        << "reduction must be \"none\", \"sum\" or \"mean\", not \""
        << std::string(reduction.data(), reduction.size()) << "\"";
  }
  const DLTensor* tgrad = Raw(grad);
  if (tgrad != nullptr) {
    CheckTensor(tgrad, "grad", {logits->dtype});
    CheckSameShape(tgrad, "grad", logits, "logits");
    CheckCompact(tgrad, "grad");
  }
  const bool wide = Same(target->dtype, kI64);
  if (wide) {
    CheckTarget<int64_t>(target, c, ignore_index);
  } else {
    CheckTarget<int32_t>(target, c, ignore_index);
  }
#if BUG == 9
  const int64_t extent = how == Reduction::kNone ? n : 1;
  ffi::Tensor loss = NewTensor(ffi::ShapeView(&extent, 1), logits->dtype);
#else
  ffi::Tensor loss =
      NewTensor(ffi::ShapeView(&n, how == Reduction::kNone ? 1 : 0), logits->dtype);
#endif
  const DLTensor* to = loss.GetDLTensorPtr();
  if (Same(logits->dtype, kF32)) {
    if (wide) {
      Run<float, int64_t>(logits, target, tweight, ignore_index, label_smoothing, how, tgrad, to);
    } else {
      Run<float, int32_t>(logits, target, tweight, ignore_index, label_smoothing, how, tgrad, to);
    }
  } else {
    if (wide) {
      Run<double, int64_t>(logits, target, tweight, ignore_index, label_smoothing, how, tgrad, to);
    } else {
      Run<double, int32_t>(logits, target, tweight, ignore_index, label_smoothing, how, tgrad, to);
    }
  }
  return loss;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cross_entropy, CrossEntropy);

}  // namespace
