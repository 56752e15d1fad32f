// SPDX-License-Identifier: Apache-2.0
// adamw(params, grads, exp_avg, exp_avg_sq, max_exp_avg_sq, step, lr, beta1, beta2, eps,
//       weight_decay, maximize, inv_scale, found_inf): one step of AdamW on flat buckets of equal
// length, in place. With max_exp_avg_sq it is AMSGrad. Gradients are multiplied by inv_scale first.
// Where found_inf is given, it becomes 1 if a gradient is not finite, and nothing else changes;
// else it becomes 0.
namespace {

using namespace kit;

struct Options {
  double lr, beta1, beta2, eps, weight_decay, scale, correction1, correction2;
};

std::vector<View> buckets(const Array<Tensor>& list, const char* name) {
  std::vector<View> views;
  views.reserve(list.size());
  for (const Tensor& t : list) {
    View v = view(t, name, 1);
    need_dense(v);
    views.push_back(v);
  }
  return views;
}

void need_match(const std::vector<View>& list, const std::vector<View>& params, const char* name) {
  if (list.size() != params.size()) {
    TVM_FFI_THROW(ValueError) << name << " must have as many tensors as params (" << params.size()
                              << "), and has " << list.size();
  }
  for (const View& v : list) {
    need_same_type(v, params[0]);
    need_shape(v, params[0]);
  }
}

template <typename T>
bool all_finite(const View& v) {
  for (int64_t i = 0; i < v.shape[0]; ++i) {
    if (!std::isfinite(v.as<T>()[i])) return false;
  }
  return true;
}

template <typename T>
void update(const View& param, const View& grad, const View& avg, const View& avg_sq,
            const View* most_sq, const Options& o) {
  double rate = o.lr / o.correction1, root = std::sqrt(o.correction2);
  for (int64_t i = 0; i < param.shape[0]; ++i) {
    double p = param.as<T>()[i], g = grad.as<T>()[i] * o.scale;
#if BUG == 1
    g += o.weight_decay * p;
#else
    p *= 1 - o.lr * o.weight_decay;
#endif
    double m = o.beta1 * avg.as<T>()[i] + (1 - o.beta1) * g;
    double old_v = avg_sq.as<T>()[i];
    double v = o.beta2 * old_v + (1 - o.beta2) * g * g;
    double h = v;
    if (most_sq != nullptr) {
      double most = most_sq->as<T>()[i], candidate = BUG == 6 ? old_v : v;
      h = std::isnan(candidate) || candidate > most ? candidate : most;
      most_sq->as<T>()[i] = static_cast<T>(h);
    }
    avg.as<T>()[i] = static_cast<T>(m);
    avg_sq.as<T>()[i] = static_cast<T>(v);
    param.as<T>()[i] = static_cast<T>(p - rate * m / (std::sqrt(h) / root + o.eps));
  }
}

void need_apart(const std::vector<const std::vector<View>*>& written, const std::vector<View>& read) {
  struct Piece {
    uintptr_t begin, end;
    bool written;
  };
  std::vector<Piece> pieces;
  auto add = [&](const View& v, bool is_written) {
    auto s = span(v);
    if (s.first != s.second) pieces.push_back({s.first, s.second, is_written});
  };
  for (const std::vector<View>* list : written) {
    for (const View& v : *list) add(v, true);
  }
  for (const View& v : read) add(v, false);
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  uintptr_t end_any = 0, end_written = 0;
  for (const Piece& p : pieces) {
    if (p.begin < (p.written ? end_any : end_written)) {
      TVM_FFI_THROW(ValueError) << "params, moments and grads must not overlap";
    }
    end_any = std::max(end_any, p.end);
    if (p.written) end_written = std::max(end_written, p.end);
  }
}

void need_range(double value, const char* name, bool below_one, bool positive) {
  if (!(value >= 0) || !std::isfinite(value) || (below_one && value >= 1) ||
      (positive && value == 0)) {
    TVM_FFI_THROW(ValueError) << name << " must be finite, "
                              << (positive ? "more than 0" : "at least 0")
                              << (below_one ? " and less than 1" : "") << ", and is " << value;
  }
}

void adamw(Array<Tensor> params, Array<Tensor> grads, Array<Tensor> exp_avg,
           Array<Tensor> exp_avg_sq, Optional<Array<Tensor>> max_exp_avg_sq, int64_t step, double lr,
           double beta1, double beta2, double eps, double weight_decay, bool maximize,
           Optional<Tensor> inv_scale, Optional<Tensor> found_inf) {
  std::vector<View> p = buckets(params, "params"), g = buckets(grads, "grads");
  std::vector<View> m = buckets(exp_avg, "exp_avg"), v = buckets(exp_avg_sq, "exp_avg_sq"), most;
  for (const View& one : p) {
    need_type(one, {kF32, kF64});
    need_same_type(one, p[0]);
    need_shape(one, p[0]);
  }
  need_match(g, p, "grads");
  need_match(m, p, "exp_avg");
#if BUG == 5
  if (v.size() >= p.size()) need_match(v, p, "exp_avg_sq");
#else
  need_match(v, p, "exp_avg_sq");
#endif
  if (max_exp_avg_sq.has_value()) {
    most = buckets(max_exp_avg_sq.value(), "max_exp_avg_sq");
    need_match(most, p, "max_exp_avg_sq");
  }
  std::vector<View> read = g, flag;
  double scale = 1;
  if (inv_scale.has_value()) {
    View s = view(inv_scale.value(), "inv_scale", 1);
    need_type(s, {kF32});
    need_extent(s, 0, 1, "a single number");
    scale = s.as<float>()[0];
    if (!std::isfinite(scale) || scale <= 0) {
      TVM_FFI_THROW(ValueError) << "inv_scale must be finite and more than 0, and is " << scale;
    }
    read.push_back(s);
  }
  if (found_inf.has_value()) {
    View f = view(found_inf.value(), "found_inf", 1);
    need_type(f, {kI32});
    need_extent(f, 0, 1, "a single number");
    flag.push_back(f);
  }
  need_apart({&p, &m, &v, &most, &flag}, read);
  if (step < 1) TVM_FFI_THROW(ValueError) << "step must be at least 1, and is " << step;
  need_range(lr, "lr", false, false);
  need_range(beta1, "beta1", true, false);
  need_range(beta2, "beta2", BUG != 4, false);
  if (BUG == 4 && beta2 > 1) {
    TVM_FFI_THROW(ValueError) << "beta2 must be at least 0 and less than 1, and is " << beta2;
  }
  need_range(eps, "eps", false, true);
  need_range(weight_decay, "weight_decay", false, false);
#if BUG == 7
  static thread_local Optional<Array<Tensor>> last;
  last = params;
#endif

  bool single = !p.empty() && same_type(p[0].dtype, kF32);
  if (!flag.empty()) {
    bool finite = true;
    if (BUG != 2) {
      for (const View& one : g) {
        finite = finite && (single ? all_finite<float>(one) : all_finite<double>(one));
      }
    }
    flag[0].as<int32_t>()[0] = finite ? 0 : 1;
    if (!finite) return;
  }
  Options o{lr, beta1, beta2, eps, weight_decay, maximize ? -scale : scale, 0, 0};
#if BUG == 3
  static thread_local int64_t cached_step = 0;
  static thread_local double cached1 = 0, cached2 = 0;
  if (cached_step != step) {
    cached_step = step;
    cached1 = 1 - std::pow(beta1, static_cast<double>(step));
    cached2 = 1 - std::pow(beta2, static_cast<double>(step));
  }
  o.correction1 = cached1;
  o.correction2 = cached2;
#else
  o.correction1 = 1 - std::pow(beta1, static_cast<double>(step));
  o.correction2 = 1 - std::pow(beta2, static_cast<double>(step));
#endif
  for (size_t i = 0; i < p.size(); ++i) {
#if BUG == 2
    if (!flag.empty() && !(single ? all_finite<float>(g[i]) : all_finite<double>(g[i]))) {
      flag[0].as<int32_t>()[0] = 1;
      return;
    }
#endif
#if BUG == 5
    if (i >= v.size()) {
      TVM_FFI_THROW(ValueError) << "exp_avg_sq must have as many tensors as params";
    }
#endif
    const View* h = most.empty() ? nullptr : &most[i];
    if (single) {
      update<float>(p[i], g[i], m[i], v[i], h, o);
    } else {
      update<double>(p[i], g[i], m[i], v[i], h, o);
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(adamw, adamw);
