// SPDX-License-Identifier: Apache-2.0
// Root mean square normalisation of rows, with the residual addition that precedes it in
// transformer layers fused in: residual += x; out = residual / rms(residual) * weight.
namespace {

using namespace set;

template <typename T>
void Run(const Arg& x, const Arg* residual, const Arg* weight, const Arg& out, double eps,
         bool unit_offset) {
  const int64_t n = x.size(0), d = x.size(1);
  if (n == 0) return;
#if BUG == 4
  static std::vector<double> h;
  h.assign(d, 0.0);
#else
  std::vector<double> h(d);
#endif
  std::vector<double> scale(d, 1.0);
  if (weight != nullptr) {
    const T* w = weight->as<T>();
#if BUG == 3
    const bool offset = unit_offset && !std::is_same<T, BFloat16>::value;
#else
    const bool offset = unit_offset;
#endif
    for (int64_t j = 0; j < d; ++j) scale[j] = Get(w[j]) + (offset ? 1.0 : 0.0);
  }
#if BUG == 2
  const int64_t out_stride = d;
#else
  const int64_t out_stride = out.stride(0);
#endif
  for (int64_t i = 0; i < n; ++i) {
    const T* from = x.as<T>() + i * x.stride(0);
    T* to = out.as<T>() + i * out_stride;
    double squares = 0;
#if BUG == 4
    std::fill(h.begin(), h.end(), 0.0);
    for (int64_t j = 0; j < d; ++j) h[j] += Get(from[j]);
#else
    for (int64_t j = 0; j < d; ++j) h[j] = Get(from[j]);
#endif
    if (residual != nullptr) {
#if BUG == 1
      T* rows = reinterpret_cast<T*>(residual->raw()->data);
#else
      T* rows = residual->as<T>();
#endif
      T* sum = rows + i * residual->stride(0);
      for (int64_t j = 0; j < d; ++j) {
        h[j] += Get(sum[j]);
        sum[j] = Make<T>::From(h[j]);
      }
    }
    for (int64_t j = 0; j < d; ++j) squares += h[j] * h[j];
#if BUG == 7
    const double factor = 1.0 / (std::sqrt(squares / d) + eps);
#else
    const double factor = 1.0 / std::sqrt(squares / d + eps);
#endif
    for (int64_t j = 0; j < d; ++j) to[j] = Make<T>::From(h[j] * factor * scale[j]);
  }
}

void RmsNorm(DLTensor* x_arg, ffi::Optional<ffi::Tensor> residual_arg,
             ffi::Optional<ffi::Tensor> weight_arg, DLTensor* out_arg, double eps,
             bool unit_offset) {
#if BUG == 6
  // the check of the data type of x without its lanes
  DLTensor one_lane;
  if (x_arg != nullptr) {
    one_lane = *x_arg;
    one_lane.dtype.lanes = 1;
    x_arg = &one_lane;
  }
#endif
  const auto types = {Type::kF16, Type::kBF16, Type::kF32};
  const Arg x(x_arg, "x", types, 2, Layout::kRows);
  const Arg out(out_arg, "out", types, 2, Layout::kRows);
  if (x.size(1) == 0) TVM_FFI_THROW(ValueError) << "x must have columns";
  out.SameType(x);
  out.SameShape(x);
  out.RowsApart();
  ffi::Optional<ffi::Tensor> held_residual = residual_arg, held_weight = weight_arg;
  std::vector<Arg> optional;
  optional.reserve(2);
  const Arg* residual = nullptr;
  const Arg* weight = nullptr;
  if (held_residual.has_value()) {
    optional.emplace_back(Pointer(held_residual.value()), "residual", types, 2, Layout::kRows);
    residual = &optional.back();
    residual->SameType(x);
    residual->SameShape(x);
    residual->RowsApart();
  }
  if (held_weight.has_value()) {
    optional.emplace_back(Pointer(held_weight.value()), "weight", types, 1);
    weight = &optional.back();
    weight->SameType(x);
#if BUG == 5
    if (weight->size(0) > x.size(1)) {
      TVM_FFI_THROW(ValueError) << "weight must have at most one element for each column of x";
    }
#else
    weight->Extent(0, x.size(1), "the columns of x");
#endif
  }
  Finite(eps, "eps");
  if (eps < 0) TVM_FFI_THROW(ValueError) << "eps must not be negative, but is " << eps;
  WithFloat(x.type(), [&](auto tag) {
    Run<decltype(tag)>(x, residual, weight, out, eps, unit_offset);
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rms_norm, RmsNorm);
