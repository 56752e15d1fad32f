// SPDX-License-Identifier: Apache-2.0
// adamw_step: one step of AdamW for one parameter, in place. Returns the L2 norm of grad.
//
// param, grad: float32, float64 or bfloat16, of one shape, contiguous.
// state: {"exp_avg", "exp_avg_sq"} and, for AMSGrad, "max_exp_avg_sq": tensors of this shape, float64
//   for a float64 parameter, else float32.
// step: the number of this step, from 1 on.
// options: {"lr": float} and, as is wanted, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.01
//   (decoupled), "max_norm" (grad is scaled down to this norm), "maximize": False. Others are refused.
// check_finite: whether a grad that holds NaN or infinity is refused with a ValueError.
// A refused call has changed nothing.
namespace {

using namespace set;

struct Options {
  double lr = 0, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.01;
  double max_norm = std::numeric_limits<double>::infinity();
  bool clip = false, maximize = false;
};

double Number(const ffi::Any& value, const std::string& name) {
  auto v = value.try_cast<double>();
  SET_CHECK(v.has_value(), TypeError) << name << " must be a number, not " << value.GetTypeKey();
  SET_CHECK(*v >= 0 && std::isfinite(*v), ValueError)
      << name << " must be finite and not negative, not " << *v;
  return *v;
}

double Beta(const ffi::Any& value, const std::string& name) {
  double v = Number(value, name);
  SET_CHECK(v < 1, ValueError) << name << " must be less than 1, not " << v;
  return v;
}

Options Read(const ffi::Map<ffi::String, ffi::Any>& map) {
  Options o;
  bool has_lr = false;
  for (const auto& [key, value] : map) {
    const std::string k(key.data(), key.size()), name = "options[\"" + k + "\"]";
    if (k == "lr") {
      o.lr = Number(value, name);
      has_lr = true;
    } else if (k == "betas") {
      auto betas = value.try_cast<ffi::Array<ffi::Any>>();
      SET_CHECK(betas.has_value(), TypeError)
          << name << " must be two numbers, not " << value.GetTypeKey();
      SET_CHECK(betas->size() == 2, ValueError)
          << name << " must be two numbers, not " << betas->size();
      o.beta1 = Beta((*betas)[0], name + "[0]");
      o.beta2 = Beta((*betas)[1], name + "[1]");
    } else if (k == "eps") {
      o.eps = Number(value, name);
    } else if (k == "weight_decay") {
      o.weight_decay = Number(value, name);
    } else if (k == "max_norm") {
      o.max_norm = Number(value, name);
      SET_CHECK(o.max_norm > 0, ValueError) << name << " must be more than 0";
      o.clip = true;
    } else if (k == "maximize") {
      auto v = value.try_cast<bool>();
      SET_CHECK(v.has_value(), TypeError) << name << " must be a bool, not " << value.GetTypeKey();
      o.maximize = *v;
    } else {
#if BUG != 6
      TVM_FFI_THROW(ValueError) << name << " is not known";
#endif
    }
  }
  SET_CHECK(has_lr, ValueError) << "options[\"lr\"] is missing";
  return o;
}

struct State {
  const DLTensor *exp_avg = nullptr, *exp_avg_sq = nullptr, *max_exp_avg_sq = nullptr;
};

State Read(const ffi::Map<ffi::String, ffi::Tensor>& map, const DLTensor* param) {
  State s;
  const DLDataType type = Same(param->dtype, kF64) ? kF64 : kF32;
  for (const auto& [key, value] : map) {
    const std::string k(key.data(), key.size()), name = "state[\"" + k + "\"]";
    const DLTensor** to = k == "exp_avg"          ? &s.exp_avg
                          : k == "exp_avg_sq"     ? &s.exp_avg_sq
                          : k == "max_exp_avg_sq" ? &s.max_exp_avg_sq
                                                  : nullptr;
    SET_CHECK(to != nullptr, ValueError) << name << " is not known";
    const DLTensor* t = value.defined() ? value.GetDLTensorPtr() : nullptr;
    CheckTensor(t, name.c_str(), {type});
#if BUG == 2
    if (to == &s.exp_avg) CheckSameShape(t, name.c_str(), param, "param");
#else
    CheckSameShape(t, name.c_str(), param, "param");
#endif
    CheckCompact(t, name.c_str());
    *to = t;  // the caller's map keeps it
  }
  SET_CHECK(s.exp_avg != nullptr, ValueError) << "state[\"exp_avg\"] is missing";
  SET_CHECK(s.exp_avg_sq != nullptr, ValueError) << "state[\"exp_avg_sq\"] is missing";
  return s;
}

template <typename T, typename S>
double Run(const DLTensor* param, const DLTensor* grad, const State& state, int64_t step,
           const Options& o, bool check_finite) {
  const int64_t n = Count(param);
  T* p = Data<T>(param);
  const T* g = Data<T>(grad);
  S* m = Data<S>(state.exp_avg);
  S* v = Data<S>(state.exp_avg_sq);
  S* most = state.max_exp_avg_sq != nullptr ? Data<S>(state.max_exp_avg_sq) : nullptr;

  double largest = 0;  // so that squares neither overflow nor vanish
  for (int64_t i = 0; i < n; ++i) {
    const double a = std::abs(static_cast<double>(g[i]));
#if BUG != 3
    SET_CHECK(!check_finite || std::isfinite(a), ValueError) << "grad is not finite";
#endif
    if (a > largest || a != a) largest = a;
    if (largest != largest) break;
  }
  double norm = largest;
  if (largest > 0 && std::isfinite(largest)) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double a = static_cast<double>(g[i]) / largest;
      sum += a * a;
    }
    norm = largest * std::sqrt(sum);
  }
  double scale = 1;
  if (o.clip) scale = std::min(1.0, o.max_norm / (norm + 1e-6));
  if (norm != norm) scale = o.clip ? norm : 1;
#if BUG == 4
  if (o.maximize && !o.clip) scale = -scale;
#else
  if (o.maximize) scale = -scale;
#endif

#if BUG == 5
  static int64_t steps = 0;
  step = ++steps;
#endif
  const double fix1 = 1 - std::pow(o.beta1, static_cast<double>(step));
  const double fix2 = 1 - std::pow(o.beta2, static_cast<double>(step));
  for (int64_t i = 0; i < n; ++i) {
    double x = static_cast<double>(g[i]) * scale;
#if BUG == 3
    SET_CHECK(!check_finite || std::isfinite(x), ValueError) << "grad is not finite";
#endif
    double w = static_cast<double>(p[i]);
#if BUG == 1
    x += o.weight_decay * w;
#else
    w -= o.lr * o.weight_decay * w;
#endif
    const double mi = o.beta1 * static_cast<double>(m[i]) + (1 - o.beta1) * x;
    const double vi = o.beta2 * static_cast<double>(v[i]) + (1 - o.beta2) * x * x;
    double under = vi;
    if (most != nullptr) {
      const double before = static_cast<double>(most[i]);
      const double now = vi > before || vi != vi ? vi : before;
      most[i] = static_cast<S>(now);
#if BUG != 7
      under = now;
#endif
    }
#if BUG == 8
    const double by = std::sqrt(under / fix2 + o.eps);
#else
    const double by = std::sqrt(under / fix2) + o.eps;
#endif
    // Where nothing has ever moved and eps is 0, nothing moves.
    if (mi != 0 || by != 0) w -= o.lr * (mi / fix1) / by;
    m[i] = static_cast<S>(mi);
    v[i] = static_cast<S>(vi);
    p[i] = static_cast<T>(w);
  }
  return norm;
}

double AdamwStep(DLTensor* param, DLTensor* grad, ffi::Map<ffi::String, ffi::Tensor> state,
                 int64_t step, ffi::Map<ffi::String, ffi::Any> options, bool check_finite) {
  CheckTensor(param, "param", {kF32, kF64, kBF16});
#if BUG == 9
  CheckTensor(grad, "grad", {kF32, kF64, kBF16});
#else
  CheckTensor(grad, "grad", {param->dtype});
#endif
  CheckSameShape(grad, "grad", param, "param");
  CheckCompact(param, "param");
  CheckCompact(grad, "grad");
  const State s = Read(state, param);
  SET_CHECK(step >= 1, ValueError) << "step must be 1 or more, not " << step;
  const Options o = Read(options);
  if (Same(param->dtype, kF32)) return Run<float, float>(param, grad, s, step, o, check_finite);
  if (Same(param->dtype, kF64)) return Run<double, double>(param, grad, s, step, o, check_finite);
  return Run<BFloat, float>(param, grad, s, step, o, check_finite);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(adamw_step, AdamwStep);

}  // namespace
