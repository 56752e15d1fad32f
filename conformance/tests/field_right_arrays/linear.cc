// SPDX-License-Identifier: Apache-2.0
// act(x @ w^T + bias) for matrices of any layout.
#include <string_view>

namespace {

using namespace set;

double None(double v) { return v; }
double Relu(double v) { return v < 0 ? 0 : v; }
double Gelu(double v) { return 0.5 * v * std::erfc(-v / std::sqrt(2.0)); }

using Activation = double (*)(double);

Activation Find(const Optional<ffi::String>& name) {
  static const std::pair<std::string_view, Activation> known[] = {
      {"none", None}, {"relu", Relu}, {"gelu", Gelu}};
  if (!name.has_value()) return None;
  const ffi::String text = name.value();
  for (const auto& entry : known) {
    if (entry.first == std::string_view(text.data(), text.size())) return entry.second;
  }
  TVM_FFI_THROW(ValueError) << "there is no activation \"" << std::string(text) << '"';
}

template <typename T>
void Run(const DLTensor* x, const DLTensor* w, const DLTensor* bias, const DLTensor* out,
         Activation act) {
  const T *px = Elements<T>(x, "x"), *pw = Elements<T>(w, "w");
  const T* pb = bias != nullptr ? Elements<T>(bias, "bias") : nullptr;
  T* po = Elements<T>(out, "out");
  const int64_t n = x->shape[0], k = x->shape[1], m = w->shape[0];
  for (int64_t i = 0; i < n; ++i) {
    const T* row = px + i * Stride(x, 0);
    for (int64_t j = 0; j < m; ++j) {
      const T* column = pw + j * Stride(w, 0);
      double sum = 0;
      for (int64_t t = 0; t < k; ++t) {
        sum += static_cast<double>(row[t * Stride(x, 1)]) * column[t * Stride(w, 1)];
      }
      if (pb != nullptr) sum += pb[j * Stride(bias, 0)];
      po[i * Stride(out, 0) + j * Stride(out, 1)] = static_cast<T>(act(sum));
    }
  }
}

Tensor Linear(TensorView x, TensorView w, Optional<TensorView> bias, Optional<ffi::String> act,
              Optional<Tensor> out) {
  const DLTensor *tx = Raw(x), *tw = Raw(w);
  NeedRank(tx, 2, "x");
  NeedRank(tw, 2, "w");
  if (x.size(1) != w.size(1)) TVM_FFI_THROW(ValueError) << "x and w differ in their inner size";
  if (!Same(x.dtype(), w.dtype())) TVM_FFI_THROW(TypeError) << "x and w differ in data type";
  const bool wide = Is<double>(x.dtype());
  if (!wide && !Is<float>(x.dtype())) TVM_FFI_THROW(TypeError) << "x must be of floats";
  for (const DLTensor* t : {tx, tw}) {
    if (t->device.device_type != kDLCPU) TVM_FFI_THROW(ValueError) << "x and w: not on the CPU";
  }
  const Activation f = Find(act);
  std::optional<TensorView> b;
  if (bias.has_value()) NeedShape(Raw(b.emplace(bias.value())), {w.size(0)}, "bias");
  Tensor y = out.has_value() ? out.value() : NewTensor({x.size(0), w.size(0)}, x.dtype());
  const DLTensor* ty = y.GetDLTensorPtr();
  NeedShape(ty, {x.size(0), w.size(0)}, "out");
  (wide ? Run<double> : Run<float>)(tx, tw, b.has_value() ? Raw(*b) : nullptr, ty, f);
  return y;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(linear, Linear);
