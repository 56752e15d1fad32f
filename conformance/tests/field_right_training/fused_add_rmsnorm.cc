// SPDX-License-Identifier: Apache-2.0
// residual += x; x = rmsnorm(residual) * weight. Both in place; rows may lie apart.
namespace {
using tvm::ffi::TensorView;

int64_t row_step(const TensorView& t, const char* name) {
  if (!set::on_cpu(t)) TVM_FFI_THROW(RuntimeError) << name << " must be a CPU tensor";
  if (t.ndim() != 2) TVM_FFI_THROW(RuntimeError) << name << " must be 2D";
  if (!set::aligned(t)) TVM_FFI_THROW(RuntimeError) << name << " is misaligned";
  const auto s = set::strides_of(t);
  if (t.shape()[0] > 0 && t.shape()[1] > 1 && s[1] != 1) {
    TVM_FFI_THROW(RuntimeError) << "last dimension of " << name << " must be contiguous";
  }
  return s[0];
}

template <class T>
void norm(const TensorView& x, const TensorView& residual, const T* w, double eps, double one,
          int64_t x_step, int64_t r_step) {
  const int64_t rows = x.shape()[0], d = x.shape()[1];
  std::vector<double> sum(static_cast<size_t>(d));
  for (int64_t i = 0; i < rows; ++i) {
    T* a = set::ptr<T>(x) + i * x_step;
    T* r = set::ptr<T>(residual) + i * r_step;
    double squares = 0;
    for (int64_t j = 0; j < d; ++j) {
      sum[j] = double(a[j]) + double(r[j]);
      squares += sum[j] * sum[j];
    }
    const double scale = 1 / std::sqrt(squares / double(d) + eps);
    for (int64_t j = 0; j < d; ++j) {
      r[j] = set::to<T>(sum[j]);
      a[j] = set::to<T>(sum[j] * scale * (one + double(w[j])));
    }
  }
}

// FlashInfer has two functions for this; gemma's weights are stored less one.
template <bool kGemma>
void fused_add_rmsnorm(TensorView x, TensorView residual, TensorView weight, double eps) {
  const int64_t x_step = row_step(x, "input"), r_step = row_step(residual, "residual");
  if (!set::same_shape(x, residual)) TVM_FFI_THROW(RuntimeError) << "input and residual differ";
  set::need_dense(weight, "weight", 1);
  if (weight.shape()[0] != x.shape()[1]) TVM_FFI_THROW(RuntimeError) << "weight has another length";
  if (x.shape()[1] == 0) TVM_FFI_THROW(RuntimeError) << "hidden size is 0";
  if (!set::same(x.dtype(), residual.dtype()) || !set::same(x.dtype(), weight.dtype())) {
    TVM_FFI_THROW(RuntimeError) << "one data type for all";
  }
  if (!(eps > 0)) TVM_FFI_THROW(RuntimeError) << "eps must be positive";
  if (!set::for_float(x.dtype(), [&](auto t) {
        using T = decltype(t);
        norm<T>(x, residual, set::ptr<T>(weight), eps, kGemma ? 1 : 0, x_step, r_step);
      })) {
    TVM_FFI_THROW(RuntimeError) << "failed to dispatch data type";
  }
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(fused_add_rmsnorm, fused_add_rmsnorm<false>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(gemma_fused_add_rmsnorm, fused_add_rmsnorm<true>);
