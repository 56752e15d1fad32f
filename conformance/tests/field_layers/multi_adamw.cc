// SPDX-License-Identifier: Apache-2.0
// One step of AdamW on lists of parameters, which may differ in shape and data type. All lists are
// checked, and all callbacks made, before the first element is written.
namespace {

using namespace set;

constexpr int64_t kChunk = 4096;

struct Options {
  double beta1, beta2, eps, weight_decay, correction1, correction2, grad_factor;
  bool maximize;
};

template <typename T>
void UpdateChunk(T* p, const T* g, T* m, T* v, T* most, int64_t n, double lr, const Options& o) {
#if BUG == 2
  const bool descend = !o.maximize || sizeof(T) == 8;
#else
  const bool descend = !o.maximize;
#endif
  const double root = std::sqrt(o.correction2);
  for (int64_t i = 0; i < n; ++i) {
    double grad = Get(g[i]) / o.grad_factor;
    if (!descend) grad = -grad;
    double value = Get(p[i]);
#if BUG == 5
    grad += o.weight_decay * value;
#else
    value *= 1 - lr * o.weight_decay;
#endif
    const double first = o.beta1 * Get(m[i]) + (1 - o.beta1) * grad;
    const double second = o.beta2 * Get(v[i]) + (1 - o.beta2) * grad * grad;
    m[i] = Make<T>::From(first);
    v[i] = Make<T>::From(second);
    double under = second;
    if (most != nullptr) {
      under = std::isnan(second) ? second : std::max(Get(most[i]), second);
#if BUG != 3
      most[i] = Make<T>::From(under);
#endif
    }
    value -= lr / o.correction1 * (first / (std::sqrt(under) / root + o.eps));
    p[i] = Make<T>::From(value);
  }
}

// One parameter with its gradient and states.
struct Slot {
  Arg param, grad, first, second;
  std::vector<Arg> most;  // none or one
  double lr;
};

const auto kTypes = {Type::kF32, Type::kF64};

std::string Place(const char* list, size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "]";
}

Arg Element(const ffi::Array<ffi::Tensor>& list, const char* name, size_t i) {
  const ffi::Tensor t = list[i];  // the list keeps it
  return Arg(Pointer(t), Place(name, i), kTypes, -1);
}

Arg Like(const Arg& param, const ffi::Array<ffi::Tensor>& list, const char* name, size_t i) {
  Arg a = Element(list, name, i);
  a.SameType(param);
  a.SameShape(param);
  return a;
}

void Apply(const Slot& slot, const Options& o) {
  WithFloat(slot.param.type(), [&](auto tag) {
    using T = decltype(tag);
    const int64_t n = slot.param.numel();
#if BUG == 6
    const int64_t chunks = n <= kChunk ? 1 : n / kChunk;
#else
    const int64_t chunks = (n + kChunk - 1) / kChunk;
#endif
    for (int64_t c = 0; c < chunks; ++c) {
      const int64_t at = c * kChunk;
      UpdateChunk<T>(slot.param.as<T>() + at, slot.grad.as<T>() + at, slot.first.as<T>() + at,
                     slot.second.as<T>() + at,
                     slot.most.empty() ? nullptr : slot.most[0].as<T>() + at,
                     std::min(kChunk, n - at), slot.lr, o);
    }
  });
}

double Scalar(const ffi::Tensor& t, const char* name) {
  const Arg a(Pointer(t), name, {Type::kF32}, 1);
  a.Extent(0, 1, "a single number");
  return *a.as<float>();
}

void NotBelowZero(double v, const char* name) {
  Finite(v, name);
  if (v < 0) TVM_FFI_THROW(ValueError) << name << " must not be negative, but is " << v;
}

void Beta(double v, const char* name) {
  if (!(v >= 0 && v < 1)) {
    TVM_FFI_THROW(ValueError) << name << " must be in [0, 1), but is " << v;
  }
}

void MultiAdamW(ffi::Array<ffi::Tensor> params, ffi::Array<ffi::Tensor> grads,
                ffi::Array<ffi::Tensor> exp_avgs, ffi::Array<ffi::Tensor> exp_avg_sqs,
                ffi::Optional<ffi::Array<ffi::Tensor>> max_exp_avg_sqs, int64_t step, double lr,
                double beta1, double beta2, double eps, double weight_decay, bool maximize,
                ffi::Optional<ffi::Tensor> grad_scale, ffi::Optional<ffi::Tensor> found_inf,
                ffi::Optional<ffi::Function> layer_scale) {
  const size_t count = params.size();
  auto same_length = [count](size_t length, const char* name) {
    if (length != count) {
      TVM_FFI_THROW(ValueError) << name << " must be as long as params, " << count << ", not "
                                << length;
    }
  };
  same_length(grads.size(), "grads");
  same_length(exp_avgs.size(), "exp_avgs");
  same_length(exp_avg_sqs.size(), "exp_avg_sqs");
  if (max_exp_avg_sqs.has_value()) same_length(max_exp_avg_sqs.value().size(), "max_exp_avg_sqs");
  if (step < 1) TVM_FFI_THROW(ValueError) << "step must be at least 1, but is " << step;
  NotBelowZero(lr, "lr");
  Beta(beta1, "beta1");
  Beta(beta2, "beta2");
  NotBelowZero(eps, "eps");
  NotBelowZero(weight_decay, "weight_decay");

  Options o{beta1, beta2, eps, weight_decay, 0, 0, 1, maximize};
#if BUG == 4
  // corrections are kept for the next lists of the same step
  static thread_local int64_t last_step = 0;
  static thread_local double last1 = 0, last2 = 0;
  if (step != last_step) {
    last_step = step;
    last1 = 1 - std::pow(beta1, static_cast<double>(step));
    last2 = 1 - std::pow(beta2, static_cast<double>(step));
  }
  o.correction1 = last1;
  o.correction2 = last2;
#else
  o.correction1 = 1 - std::pow(beta1, static_cast<double>(step));
  o.correction2 = 1 - std::pow(beta2, static_cast<double>(step));
#endif
  if (grad_scale.has_value()) {
    o.grad_factor = Scalar(grad_scale.value(), "grad_scale");
    if (!(o.grad_factor > 0) || std::isinf(o.grad_factor)) {
      TVM_FFI_THROW(ValueError) << "grad_scale must be positive and finite, but is "
                                << o.grad_factor;
    }
  }
  const double found = found_inf.has_value() ? Scalar(found_inf.value(), "found_inf") : 0.0;

  std::vector<Slot> slots;
  slots.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const Arg param = Element(params, "params", i);
    Slot slot{param,
              Like(param, grads, "grads", i),
              Like(param, exp_avgs, "exp_avgs", i),
              Like(param, exp_avg_sqs, "exp_avg_sqs", i),
              {},
              lr};
    if (max_exp_avg_sqs.has_value()) {
      slot.most.push_back(Like(param, max_exp_avg_sqs.value(), "max_exp_avg_sqs", i));
    }
#if BUG == 1
    if (found == 0 && !layer_scale.has_value()) {
      Apply(slot, o);
      continue;
    }
#endif
    slots.push_back(std::move(slot));
  }
#if BUG == 7
  static thread_local std::vector<ffi::Array<ffi::Tensor>> recent;
  recent.assign(1, params);  // so that the next call may know its lists again
#endif
  if (layer_scale.has_value()) {
    for (size_t i = 0; i < count; ++i) {
      double scale;
#if BUG == 8
      try {
        scale = layer_scale.value()(static_cast<int64_t>(i)).cast<double>();
      } catch (const ffi::Error&) {
        scale = 1;
      }
#else
      scale = layer_scale.value()(static_cast<int64_t>(i)).cast<double>();
#endif
      if (!(scale >= 0) || std::isinf(scale)) {
        TVM_FFI_THROW(ValueError) << "layer_scale must give finite numbers that are not negative, "
                                  << "but gave " << scale << " for " << i;
      }
      slots[i].lr = lr * scale;
#if BUG == 9
      if (found == 0) Apply(slots[i], o);
#endif
    }
  }
#if BUG == 9
  if (layer_scale.has_value()) return;
#endif
  if (found != 0) return;  // the gradients overflowed: the step is skipped
  for (const Slot& slot : slots) Apply(slot, o);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(multi_adamw, MultiAdamW);
