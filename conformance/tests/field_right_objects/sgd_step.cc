// SPDX-License-Identifier: Apache-2.0
// One step of SGD on a list of parameters, in place: v = mu v + g + wd p, p -= lr v (or, with
// nesterov, p -= lr (g + wd p + mu v)). Nothing is written before all arguments were looked at.
namespace {

using tvm::ffi::Any;
using tvm::ffi::Array;
using tvm::ffi::Map;
using tvm::ffi::Optional;
using tvm::ffi::String;
using tvm::ffi::Tensor;

struct Options {
  double lr = 0, momentum = 0, decay = 0;
  bool nesterov = false;

  explicit Options(const Map<String, Any>& given) {
    bool has_lr = false;
    for (const auto& [key, value] : given) {
      const std::string_view name = kit::View(key);
      if (name == "nesterov") {
        std::optional<bool> flag = value.try_cast<bool>();
        if (!flag) TVM_FFI_THROW(TypeError) << "options: nesterov must be a bool";
        nesterov = *flag;
        continue;
      }
      double* to = name == "lr"             ? &lr
                   : name == "momentum"     ? &momentum
                   : name == "weight_decay" ? &decay
                                            : nullptr;
      if (to == nullptr) TVM_FFI_THROW(KeyError) << "options: unknown key " << key;
      std::optional<double> number = value.try_cast<double>();
      if (!number) TVM_FFI_THROW(TypeError) << "options: " << key << " must be a number";
      if (!(*number >= 0)) TVM_FFI_THROW(ValueError) << "options: " << key << " must be >= 0";
      *to = *number;
      has_lr |= to == &lr;
    }
    if (!has_lr) TVM_FFI_THROW(KeyError) << "options: lr is missing";
    if (momentum >= 1) TVM_FFI_THROW(ValueError) << "options: momentum must be below 1";
  }
};

struct Span {
  float* at;
  int64_t n;
};

Span Flat(const Array<Tensor>& list, int64_t i, const char* what) {
  const Tensor tensor = list[i];
  const DLTensor& t = kit::Given(tensor, what);
  kit::Rank(t, 1, what);
  kit::Dense(t, what);
  return Span{kit::Cells<float>(t, what), t.shape[0]};
}

void Step(Array<Tensor> params, Array<Tensor> grads, Optional<Array<Tensor>> velocity,
          Map<String, Any> options) {
  const Options o(options);
  if (grads.size() != params.size()) {
    TVM_FFI_THROW(ValueError) << "grads must be as many as params: " << params.size();
  }
  if (velocity.has_value() && velocity.value().size() != params.size()) {
    TVM_FFI_THROW(ValueError) << "velocity must be as many as params: " << params.size();
  }
  if (!velocity.has_value() && o.momentum > 0) {
    TVM_FFI_THROW(ValueError) << "momentum needs velocity";
  }
  struct Job {
    Span p, g, v;
  };
  std::vector<Job> jobs;
  for (int64_t i = 0; i < static_cast<int64_t>(params.size()); ++i) {
    Job job{Flat(params, i, "params"), Flat(grads, i, "grads"), Span{nullptr, 0}};
    if (velocity.has_value()) job.v = Flat(velocity.value(), i, "velocity");
    if (job.g.n != job.p.n || (velocity.has_value() && job.v.n != job.p.n)) {
      TVM_FFI_THROW(ValueError) << "lengths differ at " << i;
    }
    jobs.push_back(job);
  }
  for (const Job& job : jobs) {
    for (int64_t i = 0; i < job.p.n; ++i) {
      const double g = job.g.at[i] + o.decay * job.p.at[i];
      double v = g;
      if (job.v.at != nullptr) {
        v += o.momentum * job.v.at[i];
        job.v.at[i] = static_cast<float>(v);
      }
      const double down = o.nesterov ? g + o.momentum * v : v;
      job.p.at[i] = static_cast<float>(job.p.at[i] - o.lr * down);
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sgd_step, Step);
