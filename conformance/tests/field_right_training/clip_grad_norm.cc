// SPDX-License-Identifier: Apache-2.0
// clip_grad_norm_: scales gradients of any rank, layout and float type, and returns their norm.
using namespace tvm::ffi;

namespace {

template <class F>
void each(const Tensor& t, F&& f) {
  if (set::is_f64(t.dtype())) {
    double* p = set::ptr<double>(t);
    set::walk(t, [&](int64_t i) { p[i] = f(p[i]); });
  } else {
    float* p = set::ptr<float>(t);
    set::walk(t, [&](int64_t i) { p[i] = static_cast<float>(f(p[i])); });
  }
}

double clip_grad_norm(Array<Tensor> grads, double max_norm, Variant<double, String> norm_type,
                      bool error_if_nonfinite) {
  if (!(max_norm >= 0)) TVM_FFI_THROW(ValueError) << "max_norm is " << max_norm;
  int order = 0;  // 0: the largest magnitude
  if (auto number = norm_type.as<double>()) {
    if (*number != 1 && *number != 2 && *number != 3) {
      TVM_FFI_THROW(ValueError) << "norm_type " << *number << " is not supported";
    }
    order = static_cast<int>(*number);
  } else if (norm_type.get<String>() != "inf") {
    TVM_FFI_THROW(ValueError) << "norm_type is a number or \"inf\"";
  }
  for (const Tensor& g : grads) {
    set::need_given(g, "gradient");
    if (!set::on_cpu(g)) TVM_FFI_THROW(NotImplementedError) << "gradients on a device";
    if (!set::is_f32(g.dtype()) && !set::is_f64(g.dtype())) {
      TVM_FFI_THROW(TypeError) << "gradients are float32 or float64";
    }
    if (!set::aligned(g)) TVM_FFI_THROW(ValueError) << "a gradient is not aligned";
  }
  double total = 0;
  for (const Tensor& g : grads) {
    each(g, [&](double v) {
      double a = std::fabs(v);
      if (order == 0) {
        if (a > total || std::isnan(a)) total = a;
      } else {
        total += order == 1 ? a : order == 2 ? a * a : a * a * a;
      }
      return v;
    });
  }
  if (order > 1) total = order == 2 ? std::sqrt(total) : std::cbrt(total);
  if (error_if_nonfinite && !std::isfinite(total)) {
    TVM_FFI_THROW(RuntimeError) << "the total norm of the gradients is non-finite";
  }
  double scale = max_norm / (total + 1e-6);
  if (scale > 1) scale = 1;
  for (const Tensor& g : grads) each(g, [&](double v) { return v * scale; });
  return total;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(clip_grad_norm_, clip_grad_norm);
