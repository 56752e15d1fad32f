// SPDX-License-Identifier: Apache-2.0
// Layer normalisation over the last dimension, for any number of leading ones.
namespace x4 {

using MaybeTensor = ffi::Optional<ffi::Tensor>;

// The floats of an optional parameter, or nullptr.
static const float* Param(const MaybeTensor& t, int64_t d, const char* name) {
  if (!t.has_value()) return nullptr;
  ffi::Tensor v = t.value();
  if (!holds<float>(v.dtype())) TVM_FFI_THROW(TypeError) << name << ": float32 expected";
  if (v.ndim() != 1 || v.size(0) != d) {
    TVM_FFI_THROW(ValueError) << name << ": expected shape [" << d << "], got " << v.shape();
  }
  plain(v, name);
  return first<float>(v);
}

static ffi::Tensor LayerNorm(ffi::Tensor x, MaybeTensor weight, MaybeTensor bias, double eps) {
  if (!x.defined()) TVM_FFI_THROW(TypeError) << "x: a tensor expected";
  if (!holds<float>(x.dtype())) TVM_FFI_THROW(TypeError) << "x: float32 expected";
  if (x.ndim() < 1) TVM_FFI_THROW(ValueError) << "x: at least one dimension expected";
  plain(x, "x");
  int64_t d = x.size(-1);
  const float* w = Param(weight, d, "weight");
  const float* b = Param(bias, d, "bias");
  if (!(eps >= 1e-6 && eps <= 1.0)) TVM_FFI_THROW(ValueError) << "eps: expected 1e-6 to 1";

  ffi::Tensor y = make(x.shape(), x.dtype());
  int64_t total = count(x.shape());
  const float* in = first<float>(x);
  float* out = first<float>(y);
  for (int64_t at = 0; at < total; at += d) {
    double mean = 0, var = 0;
    for (int64_t j = 0; j < d; ++j) mean += in[at + j];
    mean /= static_cast<double>(d);
    for (int64_t j = 0; j < d; ++j) var += (in[at + j] - mean) * (in[at + j] - mean);
    double scale = 1 / std::sqrt(var / static_cast<double>(d) + eps);
    for (int64_t j = 0; j < d; ++j) {
      double v = (in[at + j] - mean) * scale;
      if (w != nullptr) v *= w[j];
      if (b != nullptr) v += b[j];
      out[at + j] = static_cast<float>(v);
    }
  }
  return y;
}

}  // namespace x4

TVM_FFI_DLL_EXPORT_TYPED_FUNC(layer_norm, x4::LayerNorm);
TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(layer_norm, "Layer normalisation over the last dimension.");
