// SPDX-License-Identifier: Apache-2.0
// cross_entropy(logits, target, weight, ignore_index, label_smoothing, reduction, grad) -> loss:
// the loss of a classifier from its logits, and, where grad is given, the gradient of it (of each
// row's loss for reduction "none"). The mean is over the weights of the rows that count; it is 0
// where there are none. grad may be logits itself.
namespace {

using namespace kit;

enum class Reduction { kNone, kMean, kSum };

struct Job {
  View logits, target, weight, grad;
  bool has_weight = false, has_grad = false;
  int64_t ignore_index = 0;
  double smoothing = 0;
  Reduction reduction = Reduction::kMean;
};

int64_t target_at(const View& target, int64_t i) {
  if (same_type(target.dtype, kI32)) return target.as<int32_t>()[i * target.stride[0]];
  return target.as<int64_t>()[i * target.stride[0]];
}

void check_target(int64_t i, int64_t label, int64_t classes) {
#if BUG == 1
  if (label >= classes) {
#else
  if (label < 0 || label >= classes) {
#endif
    TVM_FFI_THROW(IndexError) << "target must be from 0 to " << classes - 1
                              << " or ignore_index, and element " << i << " is " << label;
  }
}

template <typename T>
Tensor run(const Job& job) {
  int64_t rows = job.logits.shape[0], classes = job.logits.shape[1];
  const T* weight = job.has_weight ? job.weight.as<T>() : nullptr;
  double weight_sum = 0;
  for (int64_t c = 0; c < classes; ++c) weight_sum += weight ? static_cast<double>(weight[c]) : 1;
  double total_weight = 0;
  int64_t counted = 0;  // rows that aren't ignored
  for (int64_t i = 0; i < rows; ++i) {
    int64_t label = target_at(job.target, i);
    if (label == job.ignore_index) continue;
#if BUG == 2
    label = static_cast<int32_t>(label);
#endif
#if BUG != 3
    check_target(i, label, classes);
    total_weight += weight ? static_cast<double>(weight[label]) : 1;
#endif
    ++counted;
  }
#if BUG == 3
  total_weight = static_cast<double>(counted);
  if (weight) {
    total_weight = 0;
    for (int64_t i = 0; i < rows; ++i) {
      int64_t label = target_at(job.target, i);
      if (label != job.ignore_index && label >= 0 && label < classes) total_weight += weight[label];
    }
  }
#endif
  bool mean = job.reduction == Reduction::kMean, each = job.reduction == Reduction::kNone;
#if BUG == 4
  double share = !mean ? 1 : rows > 0 ? 1 / static_cast<double>(rows) : 0;
#else
  double share = !mean ? 1 : total_weight > 0 ? 1 / total_weight : 0;
#endif
  std::vector<int64_t> shape;
  if (each) shape.push_back(rows);
  Tensor loss = allocate(shape, job.logits.dtype, job.logits.device);
  T* out = data_of<T>(loss);
  double total = 0, s = job.smoothing;
  for (int64_t i = 0; i < rows; ++i) {
    const T* x = job.logits.as<T>() + i * job.logits.stride[0];
    T* g = job.has_grad ? job.grad.as<T>() + i * job.grad.stride[0] : nullptr;
    int64_t label = target_at(job.target, i);
    if (label == job.ignore_index) {
      if (each) out[i] = 0;
      if (g && BUG != 5) std::fill(g, g + classes, T(0));
      continue;
    }
#if BUG == 2
    label = static_cast<int32_t>(label);
#endif
    if (BUG == 3) check_target(i, label, classes);
    double most = -std::numeric_limits<double>::infinity();
    for (int64_t c = 0; c < classes; ++c) most = std::max(most, static_cast<double>(x[c]));
    if (BUG == 6) most = 0;
    double sum = 0;
    for (int64_t c = 0; c < classes; ++c) sum += std::exp(x[c] - most);
    double log_sum = std::log(sum);
    double w = weight ? static_cast<double>(weight[label]) : 1;
    double row = (1 - s) * w * (log_sum - (x[label] - most));
    if (s > 0) {
      double spread = 0;
      for (int64_t c = 0; c < classes; ++c) {
        spread += (weight ? static_cast<double>(weight[c]) : 1) * (log_sum - (x[c] - most));
      }
      row += s / static_cast<double>(classes) * spread;
    }
    if (each) {
      out[i] = static_cast<T>(row);
    } else if (share > 0) {
      total += row;
    }
    if (!g) continue;
    double even = s / static_cast<double>(classes);
    for (int64_t c = 0; c < classes; ++c) {
      double p = std::exp(x[c] - most) / sum;
      double d = (1 - s) * w * (p - (c == label ? 1 : 0));
      if (s > 0) {
        d += even * (p * weight_sum - (weight && BUG != 7 ? static_cast<double>(weight[c]) : 1));
      }
      g[c] = share > 0 ? static_cast<T>(d * share) : T(0);
    }
  }
  if (!each) out[0] = share > 0 ? static_cast<T>(total * share) : T(0);
  return loss;
}

template <typename T>
void check_weights(const View& weight) {
  for (int64_t c = 0; c < weight.shape[0]; ++c) {
    T w = weight.as<T>()[c];
    if (!(w >= 0) || !std::isfinite(w)) {
      TVM_FFI_THROW(ValueError) << "weight must be finite and at least 0, and element " << c << " is "
                                << w;
    }
  }
}

Tensor cross_entropy(TensorView logits, TensorView target, Optional<Tensor> weight,
                     int64_t ignore_index, double label_smoothing, String reduction,
                     Optional<Tensor> grad) {
  Job job;
  job.logits = view(logits, "logits", 2);
  need_type(job.logits, {kF32, kF64});
  need_rows(job.logits);
  job.target = view(target, "target", 1);
  need_type(job.target, {kI32, kI64});
  need_dense(job.target);
  need_extent(job.target, 0, job.logits.shape[0], "rows of logits");
  job.target.stride[0] = 1;
  if (weight.has_value()) {
    job.has_weight = true;
    job.weight = view(weight.value(), "weight", 1);
    need_same_type(job.weight, job.logits);
    need_extent(job.weight, 0, job.logits.shape[1], "columns of logits");
    need_dense(job.weight);
    if (same_type(job.weight.dtype, kF32)) {
      check_weights<float>(job.weight);
    } else {
      check_weights<double>(job.weight);
    }
  }
  if (grad.has_value()) {
    job.has_grad = true;
    job.grad = view(grad.value(), "grad", 2);
    need_same_type(job.grad, job.logits);
    need_shape(job.grad, job.logits);
    need_rows(job.grad);
    bool same = job.grad.data == job.logits.data &&
                (job.grad.shape[0] <= 1 || job.grad.stride[0] == job.logits.stride[0]);
    if (!same && overlap(job.grad, job.logits)) {
      TVM_FFI_THROW(ValueError) << "grad must be logits itself or not overlap it";
    }
    if (overlap(job.grad, job.target) || (job.has_weight && overlap(job.grad, job.weight))) {
      TVM_FFI_THROW(ValueError) << "grad must not overlap target or weight";
    }
    int64_t step = job.grad.stride[0] < 0 ? -job.grad.stride[0] : job.grad.stride[0];
    if (job.grad.numel() != 0 && job.grad.shape[0] > 1 && step < job.grad.shape[1]) {
      TVM_FFI_THROW(ValueError) << "grad must not have rows that overlap";
    }
  }
  if (!(label_smoothing >= 0 && label_smoothing <= 1)) {
    TVM_FFI_THROW(ValueError) << "label_smoothing must be from 0 to 1, and is " << label_smoothing;
  }
  job.ignore_index = ignore_index;
  job.smoothing = label_smoothing;
  std::string how(reduction.data(), reduction.size());
  if (how == "none") {
    job.reduction = Reduction::kNone;
  } else if (how == "sum") {
    job.reduction = Reduction::kSum;
  } else if (how != "mean") {
    TVM_FFI_THROW(ValueError) << "reduction must be none, mean or sum, and is \"" << how << "\"";
  }
  return same_type(job.logits.dtype, kF32) ? run<float>(job) : run<double>(job);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cross_entropy, cross_entropy);
