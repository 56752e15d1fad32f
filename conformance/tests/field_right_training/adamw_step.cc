// SPDX-License-Identifier: Apache-2.0
// One AdamW step over lists of tensors; hyperparameters come as a map, as from Python keywords.
using namespace tvm::ffi;

namespace {

struct Hyper {
  double lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, decay = 0.01;
  bool maximize = false;

  explicit Hyper(const Map<String, Any>& given) {
    if (given.count("lr") == 0) TVM_FFI_THROW(KeyError) << "hyper: \"lr\" is missing";
    for (const auto& [key, value] : given) {
      if (key == "lr") {
        lr = value.cast<double>();
      } else if (key == "betas") {
        auto betas = value.cast<Tuple<double, double>>();
        b1 = betas.get<0>();
        b2 = betas.get<1>();
      } else if (key == "eps") {
        eps = value.cast<double>();
      } else if (key == "weight_decay") {
        decay = value.cast<double>();
      } else if (key == "maximize") {
        maximize = value.cast<bool>();
      } else {
        TVM_FFI_THROW(KeyError) << "hyper: unknown option \"" << key << "\"";
      }
    }
    // Written so that NaN is refused, too.
    if (!(lr >= 0)) TVM_FFI_THROW(ValueError) << "Invalid learning rate: " << lr;
    if (!(b1 >= 0 && b1 < 1)) TVM_FFI_THROW(ValueError) << "Invalid beta parameter at index 0";
    if (!(b2 >= 0 && b2 < 1)) TVM_FFI_THROW(ValueError) << "Invalid beta parameter at index 1";
    if (!(eps >= 0)) TVM_FFI_THROW(ValueError) << "Invalid epsilon value: " << eps;
    if (!(decay >= 0)) TVM_FFI_THROW(ValueError) << "Invalid weight_decay value: " << decay;
  }
};

template <class T>
void update(const Tensor& grad, const Tensor& param, const Tensor& avg, const Tensor& sq,
            const Hyper& h, double c1, double c2) {
  const T* g = set::ptr<T>(grad);
  T* p = set::ptr<T>(param);
  float *m = set::ptr<float>(avg), *v = set::ptr<float>(sq);
  for (int64_t i = 0, n = param.numel(); i < n; ++i) {
    double d = h.maximize ? -double(g[i]) : double(g[i]);
    double mi = h.b1 * m[i] + (1 - h.b1) * d, vi = h.b2 * v[i] + (1 - h.b2) * d * d;
    p[i] = set::to<T>(double(p[i]) * (1 - h.lr * h.decay) -
                      h.lr * (mi / c1) / (std::sqrt(vi / c2) + h.eps));
    m[i] = static_cast<float>(mi);
    v[i] = static_cast<float>(vi);
  }
}

void adamw_step(Array<Tensor> grads, Array<Tensor> params,
                Tuple<Array<Tensor>, Array<Tensor>> state, int64_t step, Map<String, Any> hyper) {
  Hyper h(hyper);
  if (step < 1) TVM_FFI_THROW(ValueError) << "step counts from 1";
  Array<Tensor> avg = state.get<0>(), sq = state.get<1>();
  const size_t n = params.size();
  if (grads.size() != n || avg.size() != n || sq.size() != n) {
    TVM_FFI_THROW(ValueError) << "all lists must have the same length";
  }
  for (size_t i = 0; i < n; ++i) {
    set::need_given(params[i], "params");
    for (const Tensor& t : {grads[i], params[i], avg[i], sq[i]}) {
      set::need_dense(t, "tensor", -1);
      if (!set::same_shape(t, params[i])) TVM_FFI_THROW(ValueError) << "shapes differ at " << i;
    }
    if (!set::is_f32(avg[i].dtype()) || !set::is_f32(sq[i].dtype())) {
      TVM_FFI_THROW(TypeError) << "state must be float32";
    }
    if (!(set::is_f32(params[i].dtype()) || set::is_bf16(params[i].dtype())) ||
        !set::same(params[i].dtype(), params[0].dtype()) ||
        !set::same(grads[i].dtype(), params[0].dtype())) {
      TVM_FFI_THROW(TypeError) << "params and grads must all be float32 or all be bfloat16";
    }
  }
  double c1 = 1 - std::pow(h.b1, double(step)), c2 = 1 - std::pow(h.b2, double(step));
  for (size_t i = 0; i < n; ++i) {
    (set::is_f32(params[i].dtype()) ? update<float> : update<set::bf16>)(grads[i], params[i],
                                                                         avg[i], sq[i], h, c1, c2);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(adamw_step, adamw_step);
