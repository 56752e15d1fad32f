// SPDX-License-Identifier: Apache-2.0
// RMS normalisation of rows, with optional weights; the factors of the rows come out on demand.
namespace rms {

using namespace set;

template <typename T>
void Rows(const DLTensor* x, const DLTensor* weight, double eps, const DLTensor* out,
          const DLTensor* inv_rms) {
  const T* src = Elements<T>(x, "x");
  T* dst = Elements<T>(out, "out");
  const T* w = weight != nullptr ? Elements<T>(weight, "weight") : nullptr;
  float* inv = inv_rms != nullptr ? Elements<float>(inv_rms, "inv_rms") : nullptr;
  const int64_t n = x->shape[0], d = x->shape[1];
  const int64_t from = Stride(x, 0), to = Stride(out, 0);
  for (int64_t i = 0; i < n; ++i) {
    const T* row = src + i * from;
    T* res = dst + i * to;
    double sum = 0;
    for (int64_t j = 0; j < d; ++j) sum += static_cast<double>(Load(row[j])) * Load(row[j]);
    const double factor = 1 / std::sqrt(sum / static_cast<double>(d) + eps);
    for (int64_t j = 0; j < d; ++j) {
      const double scaled = Load(row[j]) * factor;
      res[j] = Store<T>(w != nullptr ? scaled * Load(w[j]) : scaled);
    }
    if (inv != nullptr) inv[i] = static_cast<float>(factor);
  }
}

void RmsNorm(TensorView x, Optional<TensorView> weight, double eps, TensorView out,
             Optional<TensorView> inv_rms) {
  const DLTensor* tx = Raw(x);
  const DLTensor* to = Raw(out);
  const DLTensor* tw = nullptr;
  const DLTensor* ti = nullptr;
  NeedRank(tx, 2, "x");
  const int64_t n = x.size(0), d = x.size(1);
  if (d < 1) TVM_FFI_THROW(ValueError) << "x has no columns";
  NeedShape(to, {n, d}, "out");
  NeedRows(tx, "x");
  NeedRows(to, "out");
  if (!(eps >= 0)) TVM_FFI_THROW(ValueError) << "eps must not be negative";
  if (!Same(x.dtype(), out.dtype())) TVM_FFI_THROW(TypeError) << "out must have x's data type";
  // The views have to outlive the pointers into them.
  std::optional<TensorView> kept_w, kept_i;
  if (weight.has_value()) {
    tw = Raw(kept_w.emplace(weight.value()));
    NeedShape(tw, {d}, "weight");
    NeedCompact(tw, "weight");
  }
  if (inv_rms.has_value()) {
    ti = Raw(kept_i.emplace(inv_rms.value()));
    NeedShape(ti, {n}, "inv_rms");
    NeedCompact(ti, "inv_rms");
  }
  if (Is<half>(tx->dtype)) return Rows<half>(tx, tw, eps, to, ti);
  if (Is<bf16>(tx->dtype)) return Rows<bf16>(tx, tw, eps, to, ti);
  if (Is<float>(tx->dtype)) return Rows<float>(tx, tw, eps, to, ti);
  TVM_FFI_THROW(TypeError) << "x must be float16, bfloat16 or float32";
}

}  // namespace rms

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rmsnorm, rms::RmsNorm);
